import json
from getpass import getuser
from pathlib import Path

import pytest

from fabric.errors import Unreachable, UsageError
from fabric.intent.models import Intent
from fabric.intent.sections.access import AccessIntent, AccessRule, JumpIntent, KeyReference, PasswordReference
from fabric.transport.targets import Jump, PasswordSource, Spoken, Target, _by_rule, targets

NODES = {"leaf01": Spoken("switch", "linux", "posix"), "host01": Spoken("host", "linux", "posix")}


def intent(access: AccessIntent | None = None) -> Intent:
    # Only what targets look at: the rest of an intent is judged by its own tests.
    return Intent.model_construct(fabric="lab", access=access)


def access_file(path: Path, fabric: str = "lab", port: int = 20001) -> Path:
    entry = {
        "host": "127.0.0.1",
        "port": port,
        "user": "root",
        "key": "/abs/id_ed25519",
        "known_hosts": "/abs/known_hosts",
        "sudo": False,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"format_version": 1, "fabric": fabric, "nodes": {"leaf01": entry, "foreign": entry}}))
    return path


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("FABRIC_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


def test_lab_that_is_up_is_used_and_said(state):
    path = access_file(state / "labs" / "lab" / "access.json")
    found = targets(intent(AccessIntent(switches=AccessRule(user="admin"))), NODES)
    assert found.of("leaf01") == Target(  # noqa: S604 - a field of that name
        node="leaf01",
        host="127.0.0.1",
        port=20001,
        user="root",
        key=Path("/abs/id_ed25519"),
        known_hosts=Path("/abs/known_hosts"),
        sudo=False,
        device_type="linux",
        shell="posix",
    )
    assert str(found.of("leaf01")) == "leaf01 (127.0.0.1:20001)"
    assert found.said == f"reaching the lab of 'lab' ({path})"
    assert set(found.nodes) == {"leaf01"}


def test_given_file_goes_before_the_lab(state, tmp_path):
    access_file(state / "labs" / "lab" / "access.json")
    path = access_file(tmp_path / "mine.json", port=20002)
    found = targets(intent(), NODES, path)
    assert found.of("leaf01").port == 20002
    assert found.said == f"reaching nodes as {path} says"


def test_node_that_the_file_does_not_know_is_unreachable_when_it_is_asked_for(tmp_path):
    path = access_file(tmp_path / "mine.json")
    with pytest.raises(Unreachable, match=f"host01: {path} does not say how to reach it"):
        targets(intent(), NODES, path).of("host01")


def test_access_of_the_intent_is_used_last():
    access = AccessIntent(
        switches=AccessRule(user="admin", host="{name}.mgmt.example.net", port=2222), hosts=AccessRule(sudo=True)
    )
    found = targets(intent(access), NODES)
    assert str(found.of("leaf01")) == "leaf01 (leaf01.mgmt.example.net:2222)"
    assert found.of("leaf01").user == "admin"
    assert found.of("host01") == Target("host01", "host01", 22, getuser(), None, None, True, "linux", "posix")  # noqa: FBT003 - as the type says
    assert found.said == "reaching nodes of 'lab' by `access:` of the intent"


def test_jump_host_of_a_kind_stands_on_the_way_to_its_nodes():
    access = AccessIntent(
        jump={"gate": JumpIntent(host="gate.example.net", port=2222, user="ops", key=KeyReference(file="/keys/gate"))},
        switches=AccessRule(user="admin", jump="gate"),
        hosts=AccessRule(user="root"),
    )
    found = targets(intent(access), NODES)
    gate = found.of("leaf01").jump
    assert gate == Jump("gate", "gate.example.net", 2222, "ops", Path("/keys/gate"), None)
    assert str(gate) == "jump host gate (gate.example.net:2222)"
    assert str(found.of("leaf01")) == "leaf01 (leaf01:22 through gate)"
    assert found.of("host01").jump is None
    assert list(found.ends) == [gate, found.of("leaf01"), found.of("host01")]


def test_the_address_of_a_single_node_goes_before_the_pattern():
    access = AccessIntent(switches=AccessRule(user="admin", host="{name}.mgmt", port=2222), hosts=AccessRule(user="u"))
    found = targets(intent(access), NODES, management={"leaf01": "192.0.2.7"})
    assert (found.of("leaf01").host, found.of("leaf01").port) == ("192.0.2.7", 2222)
    assert found.of("host01").host == "host01"


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({}, (None, False, None, True)),
        ({"key": KeyReference(agent=True)}, (None, True, None, True)),
        ({"key": KeyReference(file="/keys/one")}, (Path("/keys/one"), False, None, False)),
        ({"password": PasswordReference(env="PW")}, (None, False, PasswordSource("env", "PW"), False)),
        ({"password": PasswordReference(keyring="fab")}, (None, False, PasswordSource("keyring", "fab"), False)),
        ({"password": PasswordReference(prompt=True)}, (None, False, PasswordSource("prompt"), False)),
        (
            {"key": KeyReference(agent=True), "password": PasswordReference(prompt=True)},
            (None, True, PasswordSource("prompt"), True),
        ),
    ],
    ids=["nothing", "agent", "file", "env", "keyring", "prompt", "agent-and-prompt"],
)
def test_only_what_the_intent_refers_to_is_tried(rule, expected):
    found = targets(intent(AccessIntent(switches=AccessRule(user="admin", **rule))), NODES).of("leaf01")
    assert (found.key, found.agent, found.password, found.asks_agent) == expected


def test_the_home_of_a_key_file_is_that_of_the_user(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    access = AccessIntent(switches=AccessRule(user="admin", key=KeyReference(file="~/.ssh/fabric")))
    assert targets(intent(access), NODES).of("leaf01").key == tmp_path / ".ssh" / "fabric"


def test_the_home_of_nobody_is_a_wrong_use():
    access = AccessIntent(switches=AccessRule(user="admin", key=KeyReference(file="~nobody-here/key")))
    with pytest.raises(UsageError, match="key file ~nobody-here/key: there is no such user's home"):
        targets(intent(access), NODES)


def test_kind_without_a_rule_is_unreachable_when_it_is_asked_for():
    found = targets(intent(AccessIntent(switches=AccessRule(user="admin"))), NODES)
    with pytest.raises(Unreachable, match="host01: `access:` of the intent does not say how to reach it"):
        found.of("host01")


def test_no_access_at_all_says_how_to_get_some(state):
    with pytest.raises(Unreachable, match="its lab is not up, and the intent has no `access:`") as caught:
        targets(intent(), NODES)
    assert "fabric lab up FILE" in caught.value.hint
    assert caught.value.where == str(state / "labs" / "lab" / "access.json")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read: No such file or directory"),
        ("{", "wrong at the file: Invalid JSON"),
        ('{"format_version": 2, "fabric": "lab", "nodes": {}}', "wrong at format_version: Input should be 1"),
        ('{"format_version": 1, "fabric": "other", "nodes": {}}', "is of fabric 'other', the intent is of 'lab'"),
        ('{"format_version": 1, "fabric": "lab", "nodes": {"a": {"host": "h"}}}', r"wrong at nodes\.a\.user: Field"),
        (
            '{"format_version": 1, "fabric": "lab", "nodes": {"a": {"host": "h", "user": "u", "pw": 1}}}',
            r"nodes\.a\.pw",
        ),
    ],
    ids=["missing", "no-json", "newer", "other-fabric", "no-user", "unknown-key"],
)
def test_broken_access_file_names_file_and_reason(tmp_path, content, words):
    path = tmp_path / "access.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(UsageError, match=words) as caught:
        targets(intent(), NODES, path)
    assert caught.value.where == str(path)
    assert caught.value.hint


def test_a_process_without_a_name_asks_for_one_in_the_intent(monkeypatch):
    def nobody():
        raise KeyError("getpwuid(): uid not found")

    monkeypatch.setattr("fabric.transport.targets.getuser", nobody)
    with pytest.raises(UsageError, match="under a number without a name"):
        _by_rule("leaf01", Spoken("switch", "linux", "posix"), AccessRule())
