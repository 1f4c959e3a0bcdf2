"""Markup: whatever a text holds, it is shown as a text."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.report.html_builder import Raw, joined, tag


class Reader(HTMLParser):
    """What a reader of HTML finds: elements with their attributes, and all text."""

    def __init__(self, markup):
        super().__init__()
        self.elements, self.texts = [], []
        self.feed(markup)
        self.close()

    def handle_starttag(self, name, attributes):
        self.elements.append((name, dict(attributes)))

    def handle_data(self, data):
        self.texts.append(data)


@given(content=st.text(), value=st.text())
def test_no_text_becomes_markup_in_content_or_attributes(content, value):
    made = tag("p", content, title=value).text
    read = Reader(made)
    ((name, attributes),) = read.elements
    assert (name, list(attributes)) == ("p", ["title"])
    assert len("".join(read.texts)) == len(content)
    assert len(attributes["title"]) == len(value)
    assert "<" not in made.removeprefix("<p").removesuffix("</p>")


@given(st.text(st.characters(exclude_categories=["C", "Z"])))
def test_what_can_be_printed_is_shown_as_it_is(content):
    assert "".join(Reader(tag("p", content).text).texts) == content


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred", "␛[31mred"),
        ("a\x00b\rc", "a␀b␍c"),
        ("\u202egnp.exe", "\ufffdgnp.exe"),
        ("half \ud800", "half \ufffd"),
        ("\x7f\x9b", "\ufffd\ufffd"),
        ("kept\n\ttoo", "kept\n\ttoo"),
    ],
    ids=["escape", "null-and-return", "direction", "surrogate", "c1", "lines"],
)
def test_what_cannot_be_printed_becomes_a_picture_of_it(hostile, shown):
    made = tag("p", hostile).text
    assert made == f"<p>{shown}</p>"
    assert made.encode()


def test_attributes_are_named_like_in_html():
    made = tag("g", class_="a", data_node="b", aria_labelledby="c", viewBox="d", left_out=None)
    assert made == Raw('<g class="a" data-node="b" aria-labelledby="c" viewBox="d"></g>')


def test_only_finished_markup_is_taken_as_it_is():
    assert tag("ul", tag("li", "a"), "<b>", None).text == "<ul><li>a</li>&lt;b&gt;</ul>"
    assert joined(["<", tag("br")], between=", ").text == "&lt;, <br>"
