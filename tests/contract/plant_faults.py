"""Plant one fault at a time in a copy of the package, and tell which contracts break.

Run with the copy's parent as working directory: ``python plant_faults.py FAULTS.json``, where the file holds
``{name: {path: text}}``. Prints ``{name: [broken contracts]}``. One process for all faults, because
start-up costs more than the checks.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path.cwd()))

from importlinter import api
from importlinter.application import use_cases


def broken(cache: str) -> list[str]:
    """Return the names of the contracts that do not hold right now; the cache only spares reading unchanged files."""
    options = use_cases.read_user_options("pyproject.toml")
    report = use_cases.create_report(options, cache_dir=cache)
    return sorted(contract.name for contract, check in report.get_contracts_and_checks() if not check.kept)


def plant(files: dict[str, str], cache: str) -> list[str]:
    """Write the files (after what stands there already), look, and put everything back."""
    before: dict[Path, str | None] = {}
    folders: list[Path] = []
    for name, text in files.items():
        path = Path("fabric") / name
        for folder in reversed(path.parents):
            if not folder.exists():
                folder.mkdir()
                (folder / "__init__.py").write_text("")
                folders.append(folder)
        before[path] = path.read_text() if path.exists() else None
        path.write_text(f"{before[path] or ''}\n{text}\n")
    try:
        return broken(cache)
    finally:
        for path, text in before.items():
            path.unlink() if text is None else path.write_text(text)
        for folder in reversed(folders):
            (folder / "__init__.py").unlink()
            folder.rmdir()


def main() -> None:
    """Read the faults, plant each, print what broke."""
    api.configuration.configure()
    use_cases._register_built_in_contract_types()  # the public entry prints, and gives no names
    faults = json.loads(Path(sys.argv[1]).read_text())
    with TemporaryDirectory() as cache:
        report = {"": broken(cache)} | {name: plant(fault, cache) for name, fault in faults.items()}
    json.dump(report, sys.stdout)


if __name__ == "__main__":
    main()
