"""Print which lines and branches no test ran, and fail when either total is under the limit.

usage: python coverage_gate.py [--least PERCENT]     (reads the file that COVERAGE_FILE names)
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from coverage import Coverage


def totals(coverage: Coverage) -> dict[str, float]:
    """Return the covered share of lines and of branches, in percent."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "coverage.json"
        coverage.json_report(outfile=str(path))
        found = json.loads(path.read_text(encoding="utf-8"))["totals"]
    pairs = {
        "lines": (found["covered_lines"], found["num_statements"]),
        "branches": (found["covered_branches"], found["num_branches"]),
    }
    return {name: 100 * covered / count if count else 100.0 for name, (covered, count) in pairs.items()}


def main() -> int:
    """Print the report, and answer 1 when a total is too low."""
    options = argparse.ArgumentParser()
    options.add_argument("--least", type=float, default=0.0, metavar="PERCENT")
    least = options.parse_args().least
    coverage = Coverage()
    coverage.load()
    text = io.StringIO()
    coverage.report(file=text)
    print(text.getvalue())
    found = totals(coverage)
    print("coverage:", ", ".join(f"{name} {share:.1f} %" for name, share in found.items()), f"(wanted: {least:g} %)")
    return int(min(found.values()) < least)


if __name__ == "__main__":
    sys.exit(main())
