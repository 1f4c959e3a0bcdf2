"""The same file makes the same texts, byte for byte, in any process."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "file",
    ["inventories/lab", "tests/acceptance/west.yaml", "tests/acceptance/hall.yaml", "tests/acceptance/hamlet.yaml"],
)
def test_hash_seeds_and_repetitions_change_no_byte_of_what_is_rendered(file: str, tmp_path: Path) -> None:
    def rendered(seed: str, folder: str) -> dict[str, str]:
        where = tmp_path / folder
        subprocess.run(
            [sys.executable, "-m", "fabric", "render", str(ROOT / file), "--no-rules", "-o", str(where)],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        return {
            str(path.relative_to(where)): sha256(path.read_bytes()).hexdigest()
            for path in where.rglob("*")
            if path.is_file()
        }

    first = rendered("1", "first")
    assert len(first) >= 10
    assert rendered("2", "second") == first
    assert rendered("1", "third") == first
