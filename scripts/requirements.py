"""Print the requirements of dependency groups, one a line; for versions of pip that do not know groups.

usage: python requirements.py GROUP...
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

Groups = Mapping[str, Sequence[str | Mapping[str, str]]]


def requirements(groups: Groups, name: str) -> Iterator[str]:
    """Yield the requirements of one group, with those of the groups that it includes."""
    for item in groups[name]:
        if isinstance(item, str):
            yield item
        else:
            yield from requirements(groups, item["include-group"])


def main(names: Sequence[str]) -> None:
    """Print the requirements of the groups of these names."""
    pyproject = Path(__file__).parents[1] / "pyproject.toml"
    groups: Groups = tomllib.loads(pyproject.read_text(encoding="utf-8"))["dependency-groups"]
    for name in names:
        print(*requirements(groups, name), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
