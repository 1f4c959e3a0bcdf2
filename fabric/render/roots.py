"""Where templates are found: the user's folder, the installed package, the source tree."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from fabric.errors import RenderError


def template_roots(user: Path | None = None) -> tuple[Path, ...]:
    """Return the folders that hold ``switch/``, ``host/`` and ``nic/``, best first.

    RenderError when ``user`` is no folder. A file in the user's folder replaces the one of the same name, one by one.
    A wheel carries the templates inside the package; a source tree (told by its pyproject.toml beside the package) has
    them beside it.
    """
    if user is not None and not user.is_dir():
        raise RenderError(
            "the folder of templates is not there", where=str(user), hint="give a folder with switch/<system>/*.j2"
        )
    package = Path(str(files("fabric")))
    packed, tree = package / "_templates", package.parent / "templates"
    source = (tree,) if (package.parent / "pyproject.toml").is_file() else ()
    return tuple(root for root in (user, packed, *source) if root is not None and root.is_dir())
