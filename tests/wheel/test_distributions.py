"""What is published works on its own: built, installed into an empty environment, used from another folder."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

import fabric

pytestmark = pytest.mark.wheel
ROOT = Path(__file__).parents[2]
SOURCE_PROGRAM = Path(sys.executable).with_name("fabric")


def run(*words: str | Path, cwd: Path = Path("/")) -> str:
    """Run a program without anything of this source tree in its surroundings."""
    left_out = ("PYTHON", "VIRTUAL_ENV", "COV_CORE", "COVERAGE", "FABRIC_")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    done = subprocess.run(words, cwd=cwd, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def texts(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def members(wheel: Path) -> dict[str, str]:
    """Names and digests of what a wheel holds; its own list of them is left out."""
    with ZipFile(wheel) as opened:
        names = [name for name in opened.namelist() if not name.endswith("/RECORD")]
        return {name: hashlib.sha256(opened.read(name)).hexdigest() for name in names}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution, the wheel built from it, and under ``direct`` one from the tree."""
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    run(sys.executable, "-m", "build", "--wheel", "--outdir", folder / "direct", ROOT)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (found,) = built.glob("roce_fabric-*.whl")
    return found


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of an environment that holds the wheel and what it asks for, and nothing else."""
    home = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(home, with_pip=True)
    run(home / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    return home / "bin" / "fabric"


def test_the_wheel_from_the_source_distribution_equals_the_one_from_the_tree(built: Path, wheel: Path) -> None:
    (direct,) = (built / "direct").glob("*.whl")
    assert members(wheel) == members(direct)


def test_the_wheel_holds_package_templates_and_inventories_and_nothing_else(wheel: Path) -> None:
    names = set(members(wheel))
    tops = {name.split("/")[0] for name in names}
    assert tops == {"fabric", f"roce_fabric-{fabric.__version__}.dist-info"}
    assert "fabric/py.typed" in names
    for outer, inner in (("templates", "_templates"), ("inventories", "_inventories")):
        files = {f"fabric/{inner}/{name}" for name in texts(ROOT / outer)}
        assert {name for name in names if name.startswith(f"fabric/{inner}/")} == files
    assert [name for name in names if name.endswith(".pyc") or "cases" in name] == []


def test_the_installed_command_says_its_version(program: Path) -> None:
    assert run(program, "--version") == f"fabric {fabric.__version__}\n"


def test_the_installed_command_renders_the_same_from_another_folder(program: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "inventories" / "lab", tmp_path / "lab")
    run(program, "render", tmp_path / "lab", "-o", tmp_path / "installed")
    run(SOURCE_PROGRAM, "render", tmp_path / "lab", "-o", tmp_path / "source")
    assert texts(tmp_path / "installed") == texts(tmp_path / "source") != {}


def test_the_installed_command_knows_all_rules(program: Path) -> None:
    rules = [path for path in (ROOT / "fabric" / "rules").glob("*/*.py") if path.stem != "__init__"]
    code = "from fabric.rules.runner import rules; print(len(rules()))"
    assert run(program.with_name("python"), "-c", code).strip() == str(len(rules))
