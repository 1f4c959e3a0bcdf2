import stat

import pytest

from fabric.changes.command import Command
from fabric.changes.steps import Put
from fabric.errors import RejectedLine, SessionLost

pytestmark = pytest.mark.lab


def names(folder):
    return [each.name for each in folder.iterdir()]


def test_file_arrives_whole_with_its_mode(sshd, connect, tmp_path):
    path = tmp_path / "frr.conf"
    content = "line é\n" * 30_000
    connect(sshd.target).put(Put(why="", path=str(path), content=content, mode=0o640))
    assert path.read_text() == content
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names(tmp_path) == ["frr.conf"]


def test_put_replaces_the_file_instead_of_writing_into_it(sshd, connect, tmp_path):
    path = tmp_path / "frr.conf"
    path.write_text("old")
    with path.open() as reader:
        connect(sshd.target).put(Put(why="", path=str(path), content="new"))
        assert reader.read() == "old"
    assert path.read_text() == "new"


def test_repeat_after_a_put_that_was_cut_short_starts_clean(sshd, connect, tmp_path):
    path = tmp_path / "frr.conf"
    (tmp_path / ".frr.conf.fabric-new").write_text("half of a longer content")
    session = connect(sshd.target)
    for _ in range(2):
        session.put(Put(why="", path=str(path), content="new"))
    assert path.read_text() == "new"
    assert names(tmp_path) == ["frr.conf"]


def test_link_planted_under_the_temporary_name_is_not_followed(sshd, connect, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("kept")
    (tmp_path / ".file.fabric-new").symlink_to(victim)
    connect(sshd.target).put(Put(why="", path=str(tmp_path / "file"), content="new"))
    assert victim.read_text() == "kept"


def test_owner_is_given(sshd, connect, tmp_path):
    path = tmp_path / "it's mine"
    connect(sshd.target).put(Put(why="", path=str(path), content="x", mode=0o600, owner="ops:nogroup"))
    assert (path.stat().st_uid, path.stat().st_gid) == (64001, 65534)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_unknown_owner_is_refused_in_the_nodes_words_and_leaves_nothing(sshd, connect, tmp_path):
    with pytest.raises(RejectedLine, match=r"invalid user: .nobody-here."):
        connect(sshd.target).put(Put(why="", path=str(tmp_path / "file"), content="x", owner="nobody-here"))
    assert names(tmp_path) == []


def test_sudo_writes_where_the_user_may_not(sshd, connect, tmp_path):
    path = tmp_path / "secret.conf"
    tmp_path.chmod(0o700)
    session = connect(sshd.target, user="ops", sudo=True)
    session.put(Put(why="", path=str(path), content="whole\n", mode=0o600))
    assert path.read_text() == "whole\n"
    assert (path.stat().st_uid, stat.S_IMODE(path.stat().st_mode)) == (0, 0o600)
    assert not [each for each in names(sshd.folder / "home-ops") if each.endswith("fabric-new")]


def test_place_that_may_not_be_written_is_refused_in_the_nodes_words(sshd, connect):
    with pytest.raises(RejectedLine, match=r"writing /etc/frr/x: Permission denied|writing /etc/frr/x: No such file"):
        connect(sshd.target, user="plain").put(Put(why="", path="/etc/frr/x", content="x"))


def test_missing_folder_is_refused(sshd, connect, tmp_path):
    with pytest.raises(RejectedLine, match="No such file") as caught:
        connect(sshd.target).put(Put(why="", path=str(tmp_path / "none" / "x"), content="x"))
    assert "KiB" not in caught.value.hint


def test_folder_in_the_way_is_refused_and_nothing_is_left(sshd, connect, tmp_path):
    (tmp_path / "x").mkdir()
    with pytest.raises(RejectedLine):
        connect(sshd.target).put(Put(why="", path=str(tmp_path / "x"), content="x"))
    assert names(tmp_path) == ["x"]


@pytest.mark.parametrize("sudo", [False, True], ids=["by-sftp", "through-sudo"])
def test_full_disk_is_refused_says_the_room_and_keeps_the_old_file(sshd, connect, sudo):
    session = connect(sshd.target, user="ops" if sudo else "root", sudo=sudo)
    path = f"{sshd.folder}/small/frr.conf"
    session.put(Put(why="", path=path, content="old"))
    with pytest.raises(RejectedLine, match=r"of 200000 bytes were taken|No space left on device") as caught:
        session.put(Put(why="", path=path, content="x" * 200_000))
    assert "KiB free there" in caught.value.hint
    assert session.run(Command(f"cat {path}; ls -A {sshd.folder}/small")).text == "oldfrr.conf\n"


def test_server_without_sftp_says_how_to_offer_it(sshd_with, connect):
    session = connect(sshd_with("").target)
    with pytest.raises(RejectedLine, match="no SFTP") as caught:
        session.put(Put(why="", path="/tmp/x", content="x"))
    assert "Subsystem sftp" in caught.value.hint
    assert session.run(Command("echo alive")).ok


def test_put_on_a_dead_connection_is_a_lost_session(sshd_with, connect):
    server = sshd_with("Subsystem sftp internal-sftp")
    session = connect(server.target)
    server.stop()
    with pytest.raises(SessionLost):
        session.put(Put(why="", path="/tmp/x", content="x"))
