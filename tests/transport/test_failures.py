"""The contract of the error mapping: no exception of the SSH libraries reaches a caller."""

import importlib
import inspect
import pkgutil
import socket
from pathlib import Path

import netmiko
import paramiko
import pytest
from paramiko.ssh_exception import NoValidConnectionsError

from fabric.errors import (
    AuthFailed,
    FabricError,
    HostKeyMismatch,
    RejectedLine,
    SessionLost,
    Timeout,
    TransportError,
    Unreachable,
)
from fabric.transport.failures import KINDS, is_dropped, kind_of, known_name, mapped
from fabric.transport.targets import Target

TARGET = Target("leaf01", "10.0.0.1", 22, "admin", None, None, sudo=False, device_type="linux", shell="posix")  # noqa: S604 - a field of that name
# Modules that only import on Windows, or that are programs.
NOT_HERE = {"paramiko._winapi", "paramiko._windows", "paramiko.win_pageant", "paramiko.win_openssh"}
KEY = paramiko.ECDSAKey.generate()
# How to make those that are not made from one text.
ARGUMENTS = {
    paramiko.BadAuthenticationType: ("bad type", ["publickey"]),
    paramiko.BadHostKeyException: ("10.0.0.1", KEY, paramiko.ECDSAKey.generate()),
    paramiko.ChannelException: (1, "administratively prohibited"),
    paramiko.ProxyCommandFailure: ("nc", 1),
    paramiko.UnknownKeyType: ("ssh-odd", b"secret"),
    paramiko.auth_strategy.AuthFailure: ([],),
    paramiko.hostkeys.InvalidHostKey: ("host kind x", ValueError()),
    paramiko.ssh_exception.PartialAuthentication: (["publickey"],),
    NoValidConnectionsError: ({("10.0.0.1", 22): OSError(113, "No route to host")},),
}


def exception_classes():
    names = {f"paramiko.{found.name}" for found in pkgutil.iter_modules(paramiko.__path__)} | {
        "netmiko.exceptions",
        "netmiko.base_connection",
        "netmiko.scp_handler",
        "netmiko.channel",
    }
    modules = [importlib.import_module(name) for name in sorted(names - NOT_HERE)]
    found = {
        each
        for module in modules
        for _, each in inspect.getmembers(module, inspect.isclass)
        if issubclass(each, Exception) and each.__module__.split(".")[0] in ("paramiko", "netmiko")
    }
    return sorted(found, key=lambda each: (each.__module__, each.__name__))


def test_walk_finds_the_exceptions_of_both_libraries():
    found = exception_classes()
    assert paramiko.SSHException in found
    assert netmiko.ReadTimeout in found
    assert len(found) > 20


@pytest.mark.parametrize("found", exception_classes(), ids=lambda each: each.__name__)
def test_exception_of_the_libraries_is_listed_by_its_own_name(found):
    assert found in KINDS, f"say in failures.KINDS what {found.__module__}.{found.__name__} means"


@pytest.mark.parametrize("connecting", [True, False], ids=["connecting", "in-session"])
@pytest.mark.parametrize("found", sorted(KINDS, key=lambda each: each.__name__), ids=lambda each: each.__name__)
def test_listed_exception_comes_out_as_ours_naming_node_and_address(found, connecting):
    raised = found(*ARGUMENTS.get(found, ("their words",)))
    with (
        pytest.raises(TransportError, match=r"leaf01 \(10\.0\.0\.1:22\)") as caught,
        mapped(TARGET, "reading", connecting=connecting),
    ):
        raise raised
    assert type(caught.value) is kind_of(found, connecting=connecting)
    assert caught.value.__cause__ is raised
    assert caught.value.hint


@pytest.mark.parametrize(
    ("error", "connecting", "kind", "words"),
    [
        (ConnectionRefusedError(111, "Connection refused"), True, Unreachable, "reading: Connection refused"),
        (ConnectionResetError(104, "Connection reset by peer"), False, SessionLost, "reset by peer"),
        (socket.gaierror(-2, "Name or service not known"), True, Unreachable, "Name or service not known"),
        (TimeoutError("no end after 3 s"), False, Timeout, "no end after 3 s"),
        (TimeoutError(), True, Unreachable, "TimeoutError"),
        (EOFError(), False, SessionLost, "EOFError"),
        (NoValidConnectionsError({("a", 22): OSError(113, "No route to host")}), True, Unreachable, "No route to host"),
        (NoValidConnectionsError({("a", 22): OSError("odd")}), True, Unreachable, "odd"),
        (paramiko.BadAuthenticationType("Bad type", ["publickey"]), True, AuthFailed, "login as 'admin' refused"),
        (paramiko.SSHException("No authentication methods available"), True, AuthFailed, "no key, agent or password"),
        (paramiko.hostkeys.InvalidHostKey("h k x", ValueError()), True, HostKeyMismatch, "holds no key: h k x"),
        (ValueError("Failed to enter\n\n configuration mode."), False, RejectedLine, "Failed to enter configuration"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_words_and_kind_of_common_failures(error, connecting, kind, words):
    with pytest.raises(kind, match=words) as caught, mapped(TARGET, "reading", connecting=connecting):
        raise error
    assert type(caught.value) is kind


def test_error_that_netmiko_wrapped_is_seen_through_the_wrapping():
    def wrapped() -> None:
        try:
            raise ConnectionRefusedError(111, "Connection refused")
        except OSError:
            raise netmiko.NetmikoTimeoutException("Common causes of this problem are") from None

    with (
        pytest.raises(Unreachable, match=r"connecting: Connection refused$"),
        mapped(TARGET, "connecting", connecting=True),
    ):
        wrapped()


def test_wrapping_with_nothing_behind_speaks_for_itself():
    with pytest.raises(Timeout, match="waiting: locked"), mapped(TARGET, "waiting"):
        raise netmiko.NetmikoTimeoutException("locked")


def test_errors_of_ours_pass_through_as_they_are():
    ours = RejectedLine("no")
    with pytest.raises(FabricError) as caught, mapped(TARGET, "reading"):
        raise ours
    assert caught.value is ours


def test_bugs_are_not_dressed_up_as_failures_of_the_device():
    with pytest.raises(KeyError), mapped(TARGET, "reading"):
        raise KeyError("bug")
    with pytest.raises(TypeError, match="KeyError is not an exception of the SSH libraries"):
        kind_of(KeyError, connecting=True)


def connecting_failed(cause: Exception) -> FabricError:
    with pytest.raises(FabricError) as caught, mapped(TARGET, "connecting", connecting=True):
        raise cause
    return caught.value


@pytest.mark.parametrize(
    ("cause", "dropped"),
    [
        (ConnectionResetError(104, "reset"), True),
        (EOFError(), True),
        (paramiko.SSHException("Error reading SSH protocol banner"), True),
        (ConnectionRefusedError(111, "refused"), False),
        (TimeoutError(), False),
        (paramiko.AuthenticationException(), False),
        (paramiko.SSHException("No authentication methods available"), False),
        (paramiko.ssh_exception.IncompatiblePeer("no matching cipher"), False),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_only_a_dropped_connection_is_worth_another_try(cause, dropped):
    assert is_dropped(connecting_failed(cause)) is dropped


def test_error_without_a_cause_is_not_tried_again():
    assert not is_dropped(HostKeyMismatch("unknown"))
    assert not is_dropped(KeyboardInterrupt())


def test_host_keys_are_named_as_the_known_hosts_file_does():
    assert known_name(TARGET) == "10.0.0.1"
    file = Path("/k")
    other = Target("a", "h", 2222, "u", None, file, sudo=False, device_type="linux", shell="posix")  # noqa: S604 - a field of that name
    assert known_name(other) == "[h]:2222"
