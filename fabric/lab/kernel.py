"""The few system calls on namespaces and mounts that Python 3.11 does not offer itself."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Final

NEW_MOUNTS: Final = 0x00020000
NEW_HOSTNAME: Final = 0x04000000
NEW_PIDS: Final = 0x20000000
NEW_NETWORK: Final = 0x40000000

_PRIVATE_RECURSIVE = 0x00040000 | 0x00004000
_DETACH = 2


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def unshare(namespaces: int) -> None:
    """Move this process (children only, for `NEW_PIDS`) into new namespaces; OSError."""
    _checked(_libc().unshare(namespaces), f"unshare 0x{namespaces:x}")


def mount(source: str, target: str, kind: str, options: str = "") -> None:
    """Mount a file system of a kind; OSError."""
    result = _libc().mount(source.encode(), target.encode(), kind.encode(), 0, options.encode())
    _checked(result, f"mount {kind} on {target}")


def make_mounts_private() -> None:
    """Keep all later mounts of this mount namespace from being seen outside; OSError."""
    _checked(_libc().mount(b"none", b"/", None, _PRIVATE_RECURSIVE, None), "mount --make-rprivate /")


def unmount_lazily(target: str) -> None:
    """Take a mount out of sight while others still stand on it; OSError."""
    _checked(_libc().umount2(target.encode(), _DETACH), f"umount {target}")
