"""The text meant for one node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256


@dataclass(frozen=True, slots=True)
class Rendered:
    """Texts under artefact names (``frr.conf``, ``network.sh``): one per template of the node's system."""

    node: str
    texts: Mapping[str, str]


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text, as persistence rows and plans carry it."""
    return sha256(text.encode()).hexdigest()
