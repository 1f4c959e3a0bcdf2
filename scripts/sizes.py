"""Measure functions and files, print where the largest tenth begins, and fail when one is over its limit.

usage: python sizes.py [FOLDER]       (default: the package)

Lines of a function are counted without its docstring; functions that only write out values (tables) are exempt.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles


@dataclass(frozen=True)
class Limit:
    """How long something may be (``hard``), and where its 90th percentile should lie (``wanted``); in lines."""

    what: str
    hard: int
    wanted: int


FUNCTION = Limit("function", hard=60, wanted=35)
FILE = Limit("file", hard=600, wanted=350)
TABLE = (ast.Return, ast.Assign, ast.AnnAssign, ast.Expr)


def functions(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield ``line name`` and length of each function that is not a table."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not is_table(node):
            yield f"{node.lineno} {node.name}", length(node)


def is_table(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a function only assigns and returns values that are written out."""
    return all(isinstance(statement, TABLE) for statement in function.body)


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of a function, decorators and docstring left out."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    if ast.get_docstring(function) is None:
        return lines
    page = function.body[0]
    return lines - ((page.end_lineno or page.lineno) - page.lineno + 1)


def report(limit: Limit, sizes: Mapping[str, int]) -> bool:
    """Print the 90th percentile and what is over the limit; tell whether nothing is."""
    values = list(sizes.values())
    tenth = quantiles(values, n=10)[-1] if len(values) > 1 else sum(values)
    print(f"{limit.what}: 90th percentile {tenth:.0f} lines (wanted: {limit.wanted}), longest {max(values, default=0)}")
    over = {name: size for name, size in sizes.items() if size > limit.hard}
    for name, size in sorted(over.items()):
        print(f"{name}: {limit.what} of {size} lines, the limit is {limit.hard}: split it by idea")
    return not over


def main(folder: Path) -> int:
    """Measure all modules under a folder."""
    texts = {str(path): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))}
    sizes = {f"{path}:{name}": size for path, text in texts.items() for name, size in functions(ast.parse(text))}
    good = [report(FUNCTION, sizes), report(FILE, {path: text.count("\n") for path, text in texts.items()})]
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "fabric"))
