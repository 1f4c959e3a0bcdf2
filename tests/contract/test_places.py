"""The place is the registration: what stands in one place has its counterparts in the others."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from fabric.checks.contract import SECTIONS as CHECK_SECTIONS
from fabric.platforms.contract import System
from fabric.platforms.lookup import system, systems
from fabric.rules.contract import SECTIONS as RULE_SECTIONS
from fabric.settings.facts import Facts
from fabric.settings.network import Kind

ROOT = Path(__file__).parents[2]
KINDS = ("switch", "host", "nic")


def folders(home: Path) -> set[str]:
    """Names of the folders (or modules) that are registered under a place."""
    if not home.exists():
        return set()
    found = {entry.stem for entry in home.iterdir() if entry.is_dir() or entry.suffix == ".py"}
    return found - {"__init__", "__pycache__"}


def pieces(kind: str) -> dict[str, Path]:
    """Modules ``<group>/<name>.py`` of rules or checks, as ``group/name``."""
    found = sorted((ROOT / "fabric" / kind).glob("*/*.py"))
    return {f"{path.parent.name}/{path.stem}": path for path in found if path.stem != "__init__"}


def sections_missing(path: Path, wanted: tuple[str, ...]) -> list[str]:
    page = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return [title for title in wanted if f"\n{title}\n    " not in page]


@pytest.mark.parametrize("kind", KINDS)
def test_every_platform_has_templates_and_captures_and_nothing_else_has(kind: str) -> None:
    platforms = folders(ROOT / "fabric" / "platforms" / kind)
    assert folders(ROOT / "templates" / kind) == platforms
    assert folders(ROOT / "tests" / "captures" / kind) == platforms


def test_no_templates_lie_outside_the_folder_of_a_platform() -> None:
    """Pieces that several templates share lie in folders with an underscore before their names."""
    assert {name for name in folders(ROOT / "templates") if name[0] != "_"} <= set(KINDS)


@pytest.mark.parametrize("kind", ["rules", "checks"])
def test_every_rule_and_check_has_its_cases_and_no_case_is_left_over(kind: str) -> None:
    cases = {f"{path.parent.name}/{path.stem}" for path in (ROOT / "tests" / kind).glob("*/*.yaml")}
    assert cases == set(pieces(kind))


@pytest.mark.parametrize(("kind", "wanted"), [("rules", RULE_SECTIONS), ("checks", CHECK_SECTIONS)])
def test_every_rule_and_check_has_all_sections_of_its_page(kind: str, wanted: tuple[str, ...]) -> None:
    missing = {name: lacks for name, path in pieces(kind).items() if (lacks := sections_missing(path, wanted))}
    assert missing == {}


def test_every_facet_is_a_module_of_its_name() -> None:
    homes = {f"{path.parent.name}/{path.stem}" for path in (ROOT / "fabric" / "settings").rglob("*.py")}
    facets = {
        f"{path.parent.name}/{path.stem}"
        for path in (ROOT / "fabric" / "settings").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and any("Facet[" in ast.unparse(base) for base in node.bases)
    }
    assert facets - {"settings/facet"} <= homes


def all_systems() -> list[System]:
    kinds: tuple[Kind, ...] = ("switch", "host")
    return [system(kind, name) for kind in kinds for name in systems(kind)]


@pytest.mark.parametrize("found", all_systems(), ids=lambda found: found.name)
def test_every_facet_that_a_system_claims_to_set_has_a_reader(found: System) -> None:
    read = {reader.facet for reader in found.readers(Facts(system=found.name))}
    assert set(found.facets) == read


@pytest.mark.parametrize("found", all_systems(), ids=lambda found: found.name)
def test_what_can_never_be_read_belongs_to_a_facet_of_the_system(found: System) -> None:
    names = {facet.name for facet in found.facets}
    assert {name for name in found.unreadable if name.partition(".")[0] not in names} == set()


@pytest.mark.parametrize("found", all_systems(), ids=lambda found: found.name)
def test_a_system_is_named_and_sorted_as_its_folder(found: System) -> None:
    assert (ROOT / "fabric" / "platforms" / found.kind / found.name).exists()
