"""Secrets in texts of devices: what is masked before a text is shown, recorded or compared."""

from __future__ import annotations

import re

from fabric.changes.rendered import digest_of

_SECRET = re.compile(r"\b(password|secret|key-string|md5)(?!(?: \d)? <masked )( \d)? (\S+)")


def masked(text: str) -> str:
    """Replace secrets of FRR's grammar by a mark that differs when they differ, and tells nothing else.

    ``neighbor swp1 password hunter2`` becomes ``neighbor swp1 password <masked 1a2b3c4d>``.
    """
    return _SECRET.sub(lambda found: f"{found[1]}{found[2] or ''} <masked {digest_of(found[3])[:8]}>", text)
