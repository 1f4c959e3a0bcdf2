"""The JSON Schema of the intent file, for editors; made from the models, so that it cannot say something else."""

from __future__ import annotations

from typing import TypeAlias, cast

from fabric.intent.models import Intent
from fabric.intent.sections.nodes import NodeList

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
JsonMap: TypeAlias = dict[str, Json]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NULL: JsonMap = {"type": "null"}


def schema() -> JsonMap:
    """Return the schema (JSON Schema 2020-12) of ``fabric.yaml``."""
    made = cast("JsonMap", _tidy(cast("Json", Intent.model_json_schema(by_alias=True)), schema_here=True))
    keys = cast("dict[str, JsonMap]", made["properties"])
    keys["classes"]["required"] = ["default"]
    _one_list(cast("dict[str, dict[str, JsonMap]]", made["$defs"])["Topology"])
    _listed_nodes(keys["nodes"])
    return {"$schema": DIALECT, "title": "fabric.yaml"} | made


def _one_list(topology: dict[str, JsonMap]) -> None:
    """Allow a single list of cables in place of a list of entries."""
    keys = cast("dict[str, JsonMap]", topology["properties"])
    entries = keys["cables"]
    about = {"description": entries.pop("description")}
    forms: list[Json] = [entries, {"$ref": "#/$defs/CableList"}]
    keys["cables"] = {"anyOf": forms, **about}


def _listed_nodes(nodes: JsonMap) -> None:
    """Give ``nodes`` its key ``file``, which is no node."""
    made = cast("dict[str, JsonMap]", NodeList.model_json_schema())["properties"]
    patterns = cast("JsonMap", nodes["patternProperties"])
    nodes["patternProperties"] = {f"^(?!file$){pattern.removeprefix('^')}": each for pattern, each in patterns.items()}
    nodes["properties"] = _tidy(cast("Json", made), schema_here=False)


def _tidy(part: Json, *, schema_here: bool) -> Json:
    """Return a part without what only the models need: titles made from names, and null for keys left out.

    ``schema_here`` tells schemas from mappings of names to schemas, in which ``title`` would be a key of the user's.
    """
    if isinstance(part, list):
        return [_tidy(inner, schema_here=schema_here) for inner in part]
    if not isinstance(part, dict):
        return part
    if not schema_here:
        return {name: _tidy(inner, schema_here=True) for name, inner in part.items()}
    kept = {k: v for k, v in part.items() if k != "title" and not (k == "default" and v in (None, [], ()))}
    tidied = {k: _tidy(v, schema_here=k not in {"properties", "patternProperties", "$defs"}) for k, v in kept.items()}
    if "patternProperties" in tidied:
        tidied["additionalProperties"] = False
    return _without_null(tidied)


def _without_null(part: JsonMap) -> JsonMap:
    """Take null out of the alternatives: a key is left out instead."""
    alternatives = part.get("anyOf")
    if not isinstance(alternatives, list) or _NULL not in alternatives:
        return part
    kept = [one for one in alternatives if one != _NULL]
    rest = {key: value for key, value in part.items() if key != "anyOf"}
    if len(kept) == 1:
        return cast("JsonMap", kept[0]) | rest
    return rest | {"anyOf": kept}
