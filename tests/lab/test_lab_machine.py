import os
import shutil
import subprocess
import sys

import pytest

from fabric.lab import control, machine


def test_other_systems_are_told_that_the_lab_needs_linux():
    (problem,) = machine.missing(platform="darwin")
    assert "needs Linux" in problem.message


def test_users_are_told_to_become_root_and_what_else_to_install(tmp_path):
    first, *others = machine.missing(platform="linux", user=lambda: 1000, search_path=str(tmp_path))
    assert "needs root" in first.message
    hints = [problem.hint for problem in others]
    assert hints == [
        f"apt-get install {package}"
        for package in (
            "util-linux",
            "iproute2",
            "frr",
            "frr-pythontools",
            "openssh-server",
            "openssh-client",
            "lldpd",
            "iputils-ping",
        )
    ]


def test_one_missing_program_names_its_package(tmp_path):
    for name, _ in machine._PROGRAMS:
        found = shutil.which("true") if name != "bgpd" else None
        if found:
            (tmp_path / name).symlink_to(found)
    (problem,) = machine.missing(platform="linux", user=lambda: 0, search_path=str(tmp_path))
    assert problem.message == "bgpd not found: package frr is not installed"


@pytest.mark.lab
def test_a_machine_that_has_everything_lacks_nothing():
    assert os.geteuid() == 0
    assert control.missing() == ()


@pytest.mark.lab
def test_a_kernel_feature_that_does_not_work_is_named():
    (problem,) = machine._kernel((("ok", "nothing", "true"), ("bad", "the flux queue (CONFIG_FLUX)", "false")))
    assert problem.message == "the kernel lacks the flux queue (CONFIG_FLUX)"


def tried(*prefix):
    """What `up` says where it runs behind a command that takes something away."""
    script = """if True:
        from fabric.design.model import Design
        from fabric.errors import UsageError
        from fabric.lab.control import up
        from fabric.settings.network import Network
        try:
            up(Design("none", Network({}, ()), (), 1500, (), {}), progress=print)
        except UsageError as error:
            print(*(f"{problem.message}: {problem.hint}" for problem in error.problems), sep="\\n")
    """
    argv = [*prefix, sys.executable, "-c", script]
    return subprocess.run(argv, capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()


@pytest.mark.lab
def test_up_without_frr_names_the_package(state):
    hidden = 'mount -t tmpfs none /usr/lib/frr && exec "$@"'
    assert tried("unshare", "-m", "sh", "-c", hidden, "sh") == [
        "zebra, bgpd, staticd not found: package frr is not installed: apt-get install frr",
        "frr-reload.py not found: package frr-pythontools is not installed: apt-get install frr-pythontools",
    ]


@pytest.mark.lab
def test_up_where_namespaces_are_refused_says_so(state):
    (said,) = tried("setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin")
    assert said.startswith("this machine refuses namespaces: unshare")
    assert "privileged" in said
