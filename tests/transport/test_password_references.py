"""Passwords that the intent refers to: where they come from, and what is said when they are missing."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from fabric.errors import UsageError
from fabric.transport.credentials import Credentials
from fabric.transport.targets import Jump, PasswordSource, Target

TARGET = Target("leaf01", "10.0.0.1", 22, "admin", None, None, sudo=False, device_type="linux", shell="posix")  # noqa: S604 - a field of that name
GATE = Jump("gate", "10.0.0.9", 22, "admin", None, None)
CANARY = "canary-5d11"


def of(kind, name=""):
    return replace(TARGET, password=PasswordSource(kind, name))


@pytest.fixture
def ring():
    """The keyring of this process, kept in memory."""
    keyring = pytest.importorskip("keyring", reason="NOT TESTED: the keyring needs the extra [keyring]")

    class InMemory(keyring.backend.KeyringBackend):
        priority = 1

        def __init__(self):
            super().__init__()
            self.kept = {}
            self.locked = False

        def get_password(self, service, username):
            if self.locked:
                raise keyring.errors.KeyringLocked("Failed to unlock the collection!")
            return self.kept.get((service, username))

        def set_password(self, service, username, password):
            self.kept[service, username] = password

    before = keyring.get_keyring()
    found = InMemory()
    keyring.set_keyring(found)
    yield found
    keyring.set_keyring(before)


def test_password_comes_from_the_variable_that_is_named():
    credentials = Credentials(environ={"FABRIC_PASSWORD": "other", "LEAVES": CANARY})
    assert credentials.password(of("env", "LEAVES")).text == CANARY
    assert credentials.password(TARGET).text == "other"


@pytest.mark.parametrize("environ", [{}, {"LEAVES": ""}], ids=["unset", "empty"])
def test_variable_that_is_not_set_is_named_before_anything_is_reached(environ):
    with pytest.raises(UsageError, match="of 'admin' is to come from the variable LEAVES, which is not set") as caught:
        Credentials(environ=environ).gather([TARGET, of("env", "LEAVES")])
    assert "read -rs LEAVES" in caught.value.hint
    assert caught.value.where == "leaf01"


def test_password_comes_from_the_keyring_under_the_user_s_name(ring):
    ring.set_password("fab", "admin", CANARY)
    ring.set_password("fab", "ops", "of ops")
    credentials = Credentials(environ={})
    assert credentials.password(of("keyring", "fab")).text == CANARY
    assert credentials.password(replace(of("keyring", "fab"), user="ops")).text == "of ops"


def test_keyring_without_the_password_says_how_to_put_it_there(ring):
    with pytest.raises(UsageError, match="the keyring has no password of 'admin' under fab") as caught:
        Credentials(environ={}).password(of("keyring", "fab"))
    assert caught.value.hint == "put it there: keyring set fab admin"


def test_locked_keyring_is_told_in_its_own_words(ring):
    ring.locked = True
    with pytest.raises(UsageError, match="cannot be read: Failed to unlock the collection!"):
        Credentials(environ={}).password(of("keyring", "fab"))


def test_keyring_that_is_not_installed_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(UsageError, match="the package keyring is not installed") as caught:
        Credentials(environ={}).password(of("keyring", "fab"))
    assert caught.value.hint == "pip install 'roce-fabric[keyring]'"


def test_password_is_typed_once_for_all_nodes_of_a_user_and_once_for_a_jump_host():
    asked = []
    start = threading.Barrier(8)

    def ask(question):
        asked.append(question)
        return f"{CANARY}{len(asked)}"

    credentials = Credentials(ask, environ={})
    gate = replace(GATE, password=PasswordSource("prompt"))
    credentials.gather([gate, of("prompt")])

    def fetch(number):
        start.wait()
        return credentials.password(replace(of("prompt"), node=f"leaf{number}")).text

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(fetch, range(8))) == {f"{CANARY}2"}
    assert credentials.password(gate).text == f"{CANARY}1"
    assert asked == [
        "Password of 'admin' (first asked by jump host gate (10.0.0.9:22)): ",
        "Password of 'admin' (first asked by leaf01 (10.0.0.1:22)): ",
    ]


def test_password_that_is_to_be_typed_needs_a_terminal():
    with pytest.raises(UsageError, match="of 'admin' is to be typed, and there is no terminal") as caught:
        Credentials(environ={}).gather([of("prompt")])
    assert "password: {env: NAME}" in caught.value.hint


def test_nobody_is_asked_where_the_intent_says_what_to_use():
    def ask(question):
        raise AssertionError(question)

    credentials = Credentials(ask, environ={"PW": CANARY})
    for end in (of("env", "PW"), replace(TARGET, agent=True), replace(TARGET, key="/keys/one")):
        assert credentials.asked_password(end) is None


def test_keys_are_left_out_where_only_a_password_or_the_agent_is_named(tmp_path):
    (tmp_path / "id_ed25519").write_text("would be read")
    credentials = Credentials(environ={"PW": CANARY}, folder=tmp_path)
    assert credentials.keys(of("env", "PW")) == (None,)
    assert credentials.keys(replace(TARGET, agent=True)) == (None,)


def test_sources_are_named_and_passwords_are_not():
    assert str(PasswordSource("env", "PW")) == "the password in the variable PW"
    credentials = Credentials(environ={"PW": CANARY})
    credentials.gather([of("env", "PW")])
    assert CANARY not in repr(credentials) + repr(vars(credentials)["_answers"]) + repr(of("env", "PW"))
