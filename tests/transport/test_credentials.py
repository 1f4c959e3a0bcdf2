import shutil
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from fabric.errors import AuthFailed
from fabric.transport.credentials import Credentials
from fabric.transport.secrets import Secret
from fabric.transport.targets import Target

TARGET = Target("leaf01", "10.0.0.1", 22, "admin", None, None, sudo=False, device_type="linux", shell="posix")  # noqa: S604 - a field of that name
PHRASE = "canary"


@pytest.fixture(scope="module")
def make_key(tmp_path_factory):
    if shutil.which("ssh-keygen") is None:
        pytest.skip("NOT TESTED: key files need ssh-keygen")
    folder = tmp_path_factory.mktemp("keys")

    def make(kind: str = "ed25519", passphrase: str = "") -> Path:
        path = folder / f"{kind}{passphrase and '-locked'}"
        if not path.exists():
            subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", passphrase, "-f", path], check=True)
        return path

    return make


@pytest.mark.parametrize("kind", ["ed25519", "ecdsa", "rsa"])
def test_key_of_each_kind_is_loaded(make_key, kind):
    (key,) = Credentials(environ={}).keys(replace(TARGET, key=make_key(kind)))
    assert kind in key.get_name().replace("ssh-", "").lower()


def test_key_file_is_parsed_once_and_shared_by_all_threads(make_key):
    credentials = Credentials(environ={})
    target = replace(TARGET, key=make_key("rsa"))
    start = threading.Barrier(8)

    def load(_: int) -> object:
        start.wait()
        return credentials.keys(target)[0]

    with ThreadPoolExecutor(8) as pool:
        assert len({id(key) for key in pool.map(load, range(8))}) == 1


def test_missing_key_file_is_named(tmp_path):
    with pytest.raises(AuthFailed, match=r"leaf01 \(10\.0\.0\.1:22\): key file .*/none cannot be used: No such file"):
        Credentials(environ={}).keys(replace(TARGET, key=tmp_path / "none"))


def test_file_that_is_no_key_is_named(tmp_path):
    (tmp_path / "text").write_text("not a key\n")
    with pytest.raises(AuthFailed, match="not a private key that can be read"):
        Credentials(environ={}).keys(replace(TARGET, key=tmp_path / "text"))


def test_locked_key_opens_with_the_passphrase_from_the_environment(make_key):
    credentials = Credentials(environ={"FABRIC_KEY_PASSPHRASE": PHRASE})
    assert credentials.keys(replace(TARGET, key=make_key(passphrase=PHRASE)))[0].get_name() == "ssh-ed25519"


def test_locked_key_asks_for_its_passphrase_once(make_key):
    asked = []

    def ask(question: str) -> str:
        asked.append(question)
        return PHRASE

    credentials = Credentials(ask, environ={})
    target = replace(TARGET, key=make_key(passphrase=PHRASE))
    assert credentials.keys(target) == credentials.keys(target)
    assert asked == [f"Passphrase of {target.key}: "]


def test_locked_key_without_anyone_to_ask_says_what_to_set(make_key):
    with pytest.raises(AuthFailed, match="it has a passphrase; set FABRIC_KEY_PASSPHRASE or add it to an agent"):
        Credentials(environ={}).keys(replace(TARGET, key=make_key(passphrase=PHRASE)))


def test_wrong_passphrase_is_refused_without_showing_it(make_key):
    credentials = Credentials(environ={"FABRIC_KEY_PASSPHRASE": "wrong-canary"})
    with pytest.raises(AuthFailed, match="the passphrase does not open it") as caught:
        credentials.keys(replace(TARGET, key=make_key(passphrase=PHRASE)))
    assert "wrong-canary" not in str(caught.value) + caught.value.hint + repr(caught.value.__cause__)


def test_default_keys_are_tried_in_order_and_locked_ones_are_left_to_the_agent(make_key, tmp_path):
    (tmp_path / "id_rsa").write_bytes(make_key("rsa").read_bytes())
    (tmp_path / "id_ed25519").write_bytes(make_key(passphrase=PHRASE).read_bytes())
    (tmp_path / "id_ecdsa").write_bytes(make_key("ecdsa").read_bytes())

    def ask(question: str) -> str:
        raise AssertionError(question)

    names = [key.get_name() for key in Credentials(ask, environ={}, folder=tmp_path).keys(TARGET)]
    assert names == ["ecdsa-sha2-nistp256", "ssh-rsa"]


def test_no_key_at_all_leaves_the_agent_and_passwords(tmp_path):
    assert Credentials(environ={}, folder=tmp_path).keys(TARGET) == (None,)


def test_password_is_none_when_there_is_no_variable_and_nobody_to_ask():
    credentials = Credentials(environ={"FABRIC_PASSWORD": ""})
    assert credentials.password(TARGET) is None
    assert credentials.asked_password(TARGET) is None


def test_secret_is_shown_by_no_repr():
    assert repr(Secret("canary")) == "Secret()"
    assert "canary" not in f"{Secret('canary')}"
