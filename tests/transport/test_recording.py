import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from fabric.changes.command import Command, Effect, Output
from fabric.changes.steps import Put
from fabric.errors import RejectedLine, Unreachable, UsageError
from fabric.transport.local import LocalSession
from fabric.transport.record import Recorder, Recording, load, save
from fabric.transport.replay import Replay


class Here:
    """Opens sessions with this machine under any name."""

    def open(self, node):
        return LocalSession(node)


@pytest.fixture
def recording(tmp_path):
    """Two nodes; a counter that was read twice, and a command that failed."""
    recorder = Recorder(Here(), "lab")
    counter = tmp_path / "counter"
    for node in ("leaf02", "leaf01"):
        session = recorder.open(node)
        assert session.node == node
        for value in (node, "later"):
            counter.write_text(value)
            session.run(Command(f"cat {counter}"))
        session.run(Command("echo no >&2; exit 2"))
        session.close()
    counter.unlink()
    return recorder.recording()


def test_recording_has_every_answer_in_order_by_node(recording):
    assert list(recording.nodes) == ["leaf01", "leaf02"]
    assert [each.text for each in recording.nodes["leaf02"]] == ["leaf02", "later", ""]


def test_replay_answers_as_the_nodes_did(recording):
    for node, outputs in recording.nodes.items():
        session = Replay(recording).open(node)
        assert session.node == node
        assert tuple(session.run(Command(each.command)) for each in outputs) == outputs
        assert session.run(Command(outputs[0].command)).text == "later"
        session.close()


def test_recording_a_replay_gives_the_same_recording(recording):
    recorder = Recorder(Replay(recording), "lab")
    for node, outputs in recording.nodes.items():
        session = recorder.open(node)
        for each in outputs:
            session.run(Command(each.command))
    assert recorder.recording() == recording


def test_saved_recording_loads_as_it_was(recording, tmp_path):
    folder = tmp_path / "deep" / "recording"
    for _ in range(2):
        save(recording, folder)
    assert load(folder) == recording
    assert sorted(each.name for each in folder.iterdir()) == ["leaf01.json", "leaf02.json", "recording.json"]
    assert json.loads((folder / "recording.json").read_text()) == {
        "format_version": 1,
        "fabric": "lab",
        "nodes": ["leaf01", "leaf02"],
    }


def test_recording_of_format_one_stays_readable(tmp_path):
    (tmp_path / "recording.json").write_text('{"format_version": 1, "fabric": "lab", "nodes": ["leaf01"]}')
    (tmp_path / "leaf01.json").write_text(
        '{"format_version": 1, "node": "leaf01", "outputs": '
        '[{"command": "show x", "text": "up", "error": "", "code": null}]}'
    )
    assert load(tmp_path) == Recording("lab", {"leaf01": (Output("show x", "up", code=None),)})


def test_secrets_are_taken_out_of_output_and_errors(tmp_path):
    recording = Recording("lab", {"leaf01": (Output("show", "key canary", "bad canary"),)})
    save(recording, tmp_path, lambda text: text.replace("canary", "***"))
    assert "canary" not in (tmp_path / "leaf01.json").read_text()
    assert load(tmp_path).nodes["leaf01"] == (Output("show", "key ***", "bad ***"),)


def test_interrupted_save_leaves_the_earlier_file_and_nothing_beside_it(recording, tmp_path):
    save(recording, tmp_path)

    def interrupt(text: str) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save(recording, tmp_path, interrupt)
    assert load(tmp_path) == recording


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("recording.json", None, "No such file or directory"),
        ("leaf01.json", None, "No such file or directory"),
        ("recording.json", "{", "wrong at the file: Invalid JSON"),
        ("recording.json", '{"format_version": 1, "nodes": []}', "wrong at fabric: Field required"),
        (
            "recording.json",
            '{"format_version": 2, "fabric": "lab", "nodes": []}',
            "format 2, this program reads format 1",
        ),
        ("leaf01.json", '{"format_version": 9, "node": "leaf01", "outputs": []}', "format 9"),
        ("leaf01.json", '{"format_version": 1, "node": "leaf01", "outputs": [{}]}', r"wrong at outputs\.0\.command"),
    ],
    ids=["no-cover", "no-node", "no-json", "no-fabric", "newer-cover", "newer-node", "no-command"],
)
def test_broken_recording_names_file_and_reason(recording, tmp_path, name, content, words):
    save(recording, tmp_path)
    (tmp_path / name).unlink()
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(UsageError, match=words) as caught:
        load(tmp_path)
    assert caught.value.where == str(tmp_path / name)


def test_replay_refuses_what_was_not_recorded_and_what_writes(recording):
    session = Replay(recording).open("leaf01")
    with pytest.raises(RejectedLine, match="leaf01: 'show y' was not recorded"):
        session.run(Command("show y"))
    for refused in (
        lambda: session.run(Command(recording.nodes["leaf01"][0].command, effect=Effect.WRITES)),
        lambda: session.put(Put(why="", path="/x", content="")),
        lambda: session.enter("configure", "#"),
        lambda: session.send(("a", "b"), "%"),
    ):
        with pytest.raises(RejectedLine, match="would write, and a recording only answers"):
            refused()


def test_node_that_was_not_reached_is_not_reached_in_the_replay(recording):
    with pytest.raises(Unreachable, match="leaf09: is not in the recording"):
        Replay(recording).open("leaf09")


def test_writes_pass_through_a_recorder_and_answers_are_kept(recording_writes):
    class Writing:
        def open(self, _node):
            return recording_writes

    recorder = Recorder(Writing(), "lab")
    session = recorder.open("leaf01")
    put = Put(why="", path="/x", content="")
    session.put(put)
    session.enter("configure", "#")
    session.send(("a",), "%")
    assert recording_writes.seen == [put, ("configure", "#"), (("a",), "%")]
    assert [each.command for each in recorder.recording().nodes["leaf01"]] == ["configure", "a"]


def test_many_threads_record_at_a_time():
    recorder = Recorder(Here(), "lab")
    nodes = [f"leaf{i:02}" for i in range(16)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda node: recorder.open(node).run(Command(f"echo {node}")), nodes))
    assert {node: outputs[0].text for node, outputs in recorder.recording().nodes.items()} == {
        node: f"{node}\n" for node in nodes
    }
