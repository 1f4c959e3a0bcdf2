"""The types of texts of the intent file: names, patterns, paths and dates, each with its check and its JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Annotated, Final, TypeAlias

from pydantic import AfterValidator, PlainValidator, WithJsonSchema

NAME_PATTERN: Final = r"^[a-z][a-z0-9-]{0,30}$"
_WORD_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9 ._+/-]{0,63}$"
_INTERFACE_PATTERN: Final = r"^(?!lo$)[A-Za-z0-9][A-Za-z0-9._/:-]{0,31}$"
_USER_PATTERN: Final = r"^[A-Za-z_][A-Za-z0-9_.@-]{0,63}$"
_HOST_PATTERN: Final = r"^[A-Za-z0-9]([A-Za-z0-9._:-]){0,252}$"
_HOSTS_PATTERN: Final = r"^([A-Za-z0-9]|\{name\})([A-Za-z0-9._:-]|\{name\}){0,252}$"
_POOL_PATTERN: Final = r"^[A-Za-z][A-Za-z0-9_.-]{0,63}$"
_NODE_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$"
_NODES_PATTERN: Final = r"^[A-Za-z0-9*?][A-Za-z0-9._*?-]{0,62}$"
_ENDS_PATTERN: Final = r"^[A-Za-z0-9*?][A-Za-z0-9._*?-]{0,62}:[A-Za-z0-9*?][A-Za-z0-9._/:*?-]{0,31}$"
_ENV_PATTERN: Final = r"^[A-Za-z_][A-Za-z0-9_]{0,127}$"
_PATH_PATTERN: Final = r"^[^\x00-\x1f\x7f]{1,400}$"
_CSV_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,122}\.csv$"
_COMMAND_PATTERN: Final = r"^/[^\x00-\x1f\x7f]{1,400}$"
_RULE_PATTERN: Final = r"^[a-z*][a-z0-9.*-]{0,99}$"
_WHERE_PATTERN: Final = r"^[A-Za-z0-9*?][^\x00-\x1f\x7f]{0,199}$"
_SENTENCE_PATTERN: Final = r"^[^\x00-\x1f\x7f]{3,400}$"
_DATE_PATTERN: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


def _text(pattern: str, wanted: str) -> Callable[[str], str]:
    matcher = re.compile(pattern)

    def check(text: str) -> str:
        # fullmatch, because a plain $ would let a final line break through
        if matcher.fullmatch(text) is None:
            raise ValueError(f"{wanted} is wanted")
        return text

    return check


def is_csv_file(text: str) -> bool:
    """Tell whether a text is the plain name of a CSV file, without a folder."""
    return re.fullmatch(_CSV_PATTERN, text) is not None


def _date(found: object) -> date:
    if isinstance(found, str) and re.fullmatch(_DATE_PATTERN, found):
        try:
            return date.fromisoformat(found)
        except ValueError:
            pass
    raise ValueError("a day is wanted, such as 2027-06-30")


Name: TypeAlias = Annotated[
    str,
    AfterValidator(_text(NAME_PATTERN, "a name of at most 31 lower-case letters, digits and hyphens, a letter first,")),
    WithJsonSchema({"type": "string", "pattern": NAME_PATTERN}),
]
Word: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_WORD_PATTERN, "a text of at most 64 letters, digits, blanks and . _ + / -")),
    WithJsonSchema({"type": "string", "pattern": _WORD_PATTERN}),
]
InterfaceName: TypeAlias = Annotated[
    str,
    AfterValidator(
        _text(_INTERFACE_PATTERN, "the name of a network device but lo, at most 15 letters, digits and . _ -")
    ),
    WithJsonSchema({"type": "string", "pattern": _INTERFACE_PATTERN}),
]
User: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_USER_PATTERN, "a user name")),
    WithJsonSchema({"type": "string", "pattern": _USER_PATTERN}),
]
HostName: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_HOST_PATTERN, "a host name or address")),
    WithJsonSchema({"type": "string", "pattern": _HOST_PATTERN}),
]
HostPattern: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_HOSTS_PATTERN, "a host name or address, in which {name} stands for the node,")),
    WithJsonSchema({"type": "string", "pattern": _HOSTS_PATTERN}),
]
ParameterName: TypeAlias = Annotated[
    str,
    AfterValidator(_text(r"^[a-z][a-z0-9_]{0,63}$", "a parameter name of the driver's own")),
    WithJsonSchema({"type": "string", "pattern": r"^[a-z][a-z0-9_]{0,63}$"}),
]
PoolName: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_POOL_PATTERN, "the name of a pool as the system has it")),
    WithJsonSchema({"type": "string", "pattern": _POOL_PATTERN}),
]
NodeName: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_NODE_PATTERN, "a node name: at most 63 letters, digits and . _ -, a letter or digit first,")),
    WithJsonSchema({"type": "string", "pattern": _NODE_PATTERN}),
]
NodePattern: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_NODES_PATTERN, "a node name, or a pattern with * and ?, of at most 63 characters,")),
    WithJsonSchema({"type": "string", "pattern": _NODES_PATTERN}),
]
EndPattern: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_ENDS_PATTERN, "an end of a cable, such as leaf03:swp7, or a pattern with * and ?,")),
    WithJsonSchema({"type": "string", "pattern": _ENDS_PATTERN}),
]
EnvName: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_ENV_PATTERN, "the name of an environment variable")),
    WithJsonSchema({"type": "string", "pattern": _ENV_PATTERN}),
]
FilePath: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_PATH_PATTERN, "the path of a file, without control characters,")),
    WithJsonSchema({"type": "string", "pattern": _PATH_PATTERN}),
]
CsvFile: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_CSV_PATTERN, "a CSV file beside this one, such as cables.csv,")),
    WithJsonSchema({"type": "string", "pattern": _CSV_PATTERN}),
]
HookCommand: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_COMMAND_PATTERN, "the path of a program, with arguments,")),
    WithJsonSchema({"type": "string", "pattern": _COMMAND_PATTERN}),
]
RulePattern: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_RULE_PATTERN, "the id of a rule, such as topology.oversubscription, or a pattern with *,")),
    WithJsonSchema({"type": "string", "pattern": _RULE_PATTERN}),
]
WaiverPattern: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_WHERE_PATTERN, "the path of a finding, such as leaf03.links, or a pattern with *,")),
    WithJsonSchema({"type": "string", "pattern": _WHERE_PATTERN}),
]
Sentence: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_SENTENCE_PATTERN, "a sentence of 3 to 400 characters in one line")),
    WithJsonSchema({"type": "string", "pattern": _SENTENCE_PATTERN}),
]
Date: TypeAlias = Annotated[
    date,
    PlainValidator(_date),
    WithJsonSchema({"type": "string", "pattern": _DATE_PATTERN, "examples": ["2027-06-30"]}),
]
