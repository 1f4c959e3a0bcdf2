"""fabric demo: the whole story on the lab, told by the commands themselves."""

from __future__ import annotations

from fabric.cli.main import run
from fabric.cli.options import Debug, File
from fabric.cli.story import Act, Story, lacking, live, recorded, shipped
from fabric.cli.talk import tell
from fabric.results import ExitCode


def command(file: File = None, debug: Debug = False) -> int:
    """Tell the whole story on a lab: build, apply, break, mend."""
    del debug
    if missing := lacking():
        tell(f"left out, because {missing}: the lab, apply and the mending; the rest is told from a recording")
        return _tell(recorded(file or shipped("lab")))
    return _tell(live(file or shipped("lab")))


def _tell(story: Story) -> int:
    """Run each act as a user would; one that does not end as the story says ends the story."""
    for number, act in enumerate(story.acts, 1):
        code = _act(number, act)
        if code != act.ends:
            tell(f"the story ends here: exit code {code} instead of {act.ends.value}")
            run(list(story.last.args))
            return code or ExitCode.FAILED
    return _act(len(story.acts) + 1, story.last)


def _act(number: int, act: Act) -> int:
    tell(f"\n== {number}. {act.words}\n$ fabric {' '.join(act.args)}")
    return run(list(act.args))
