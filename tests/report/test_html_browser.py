"""Pages in a real browser, from a file and without a network: what it shows, and what its script does."""

from pathlib import Path

import pytest

from fabric.report.style import report
from fabric.results import CheckResult, Finding, Severity, Status, Verification

SIZES = ("lab", "400 switches", "ai1024")
# Boxes of all texts of the drawing as the browser lays them out, in units of the drawing.
BOXES = """() => Array.from(document.querySelectorAll("svg.drawing text"), (text) => {
  const box = text.getBBox();
  return [text.textContent, box.x, box.y, box.width, box.height];
})"""
CELLS = BOXES.replace("text", "rect.cell", 1).replace("text.textContent", "text.dataset.node")

pytestmark = pytest.mark.browser


class Opened:
    """A page in the browser, with every request and every word of complaint it gave rise to."""

    def __init__(self, browser, file, **context):
        self.context = browser.new_context(viewport={"width": 1280, "height": 900}, **context)
        self.context.set_offline(True)
        self.page = self.context.new_page()
        self.requests, self.complaints = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.url = file.as_uri()
        self.page.goto(self.url)


@pytest.fixture(scope="module")
def pages(tmp_path_factory, clos, inventory):
    """Files of pages, by name: designs of three sizes, and a verification with words of hostile devices."""
    folder = tmp_path_factory.mktemp("pages")
    designs = {
        "lab": inventory("lab"),
        "400 switches": clos(spines=16, leaves=384, hosts=768, nics=8, per_group=16),
        "ai1024": inventory("ai1024"),
    }
    html = report("html", color=False)
    texts = {name: html.design(design) for name, design in designs.items()}
    texts["verification"] = html.verification(designs["lab"], verification())
    texts["failing"] = html.verification(designs["ai1024"], failing(designs["ai1024"]))
    found = {}
    for name, text in texts.items():
        found[name] = Path(folder / f"{name.replace(' ', '-')}.html")
        found[name].write_text(text, "utf-8")
    return found


def verification():
    hostile = "<img src=http://127.0.0.1:9/x onerror=alert(1)><script>alert(2)</script>"
    at = [f"leaf{number:02}:swp{port}" for number in range(1, 5) for port in (1, 2, 10)]
    results = [CheckResult("links.up", where, Status.PASS, "up") for where in at]
    results[3] = CheckResult("links.up", at[3], Status.FAIL, hostile, "up", hostile)
    finding = Finding("links.mtu", Severity.WARNING, "spine01.links.swp1", hostile)
    return Verification("lab", tuple(results), (finding,))


def failing(design):
    """One node in ten fails, and one link in fifty."""
    nodes = [CheckResult("a.b", name, Status.FAIL, "no answer") for name in list(design.network.nodes)[::10]]
    links = [CheckResult("links.up", str(link.a), Status.FAIL, "down") for link in design.network.links[::50]]
    return Verification(design.fabric, (*nodes, *links))


@pytest.fixture
def opened(chromium, pages):
    """Open a page by its name."""
    contexts = []

    def call(name, **context):
        found = Opened(chromium, pages[name], **context)
        contexts.append(found.context)
        return found

    yield call
    for context in contexts:
        context.close()


def overlapping(boxes):
    found, active = [], []
    for name, x, y, width, height in sorted(boxes, key=lambda box: box[1]):
        active = [other for other in active if other[1] + other[3] > x]
        found += [(name, other[0]) for other in active if y < other[2] + other[4] and other[2] < y + height]
        active.append((name, x, y, width, height))
    return found


@pytest.mark.parametrize("name", [*SIZES, "verification", "failing"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_opens_without_a_network_or_a_complaint(opened, name, scheme):
    found = opened(name, color_scheme=scheme)
    assert found.requests == [found.url]
    assert found.complaints == []
    assert found.page.locator("svg.drawing").is_visible()


@pytest.mark.parametrize("name", [*SIZES, "failing"])
def test_labels_do_not_lie_on_each_other_as_the_browser_sets_them(opened, name):
    boxes = opened(name).page.evaluate(BOXES)
    assert boxes
    assert overlapping(boxes) == []


@pytest.mark.parametrize("name", SIZES)
def test_labels_of_nodes_stay_within_them_as_the_browser_sets_them(opened, name):
    page = opened(name).page
    cells = [(x, y, x + width, y + height) for _, x, y, width, height in page.evaluate(CELLS)]
    nodes = page.locator("svg.drawing text.node").all_inner_texts()
    labels = [box for box in page.evaluate(BOXES) if box[0] in set(nodes)]
    for text, x, y, width, height in labels:
        middle = y + height / 2
        assert any(a <= x and x + width <= c and b < middle < d for a, b, c, d in cells), text


@pytest.mark.parametrize("name", [*SIZES, "verification", "failing"])
def test_a_page_is_not_wider_than_a_small_screen(opened, name):
    page = opened(name).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    drawn = page.locator("svg.drawing").bounding_box()
    assert drawn["x"] >= 0
    assert drawn["x"] + drawn["width"] <= 1280


def test_words_of_devices_are_shown_and_not_run(opened):
    found = opened("verification")
    assert found.page.locator("img").count() == 0
    assert found.page.locator("td", has_text="<script>alert(2)</script>").count() == 3
    assert found.requests == [found.url]


def test_typing_into_the_filter_hides_the_other_rows(opened):
    found = opened("ai1024")
    section = found.page.locator("section:has(h2:text('Nodes'))").last
    section.get_by_label("Filter").fill("p3-leaf0 eos")
    assert section.get_by_role("status").inner_text() == "9 of 1344 rows"
    names = section.locator("tbody tr:visible td:first-child").all_inner_texts()
    assert names == [f"p3-leaf{number:02}" for number in range(1, 10)]
    section.get_by_label("Filter").fill("")
    assert section.locator("tbody tr:visible").count() == 1344


def test_a_click_on_a_heading_sorts_and_numbers_count_as_numbers(opened):
    found = opened("verification")
    section = found.page.locator("section:has(h2:text('Results'))")
    first = section.locator("tbody tr td:nth-child(3)")
    given = first.all_inner_texts()
    head = section.get_by_role("columnheader", name="where")
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    rising = first.all_inner_texts()
    assert rising[:3] == ["leaf01:swp1", "leaf01:swp2", "leaf01:swp10"]
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert first.all_inner_texts() == rising[::-1]
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") is None
    assert first.all_inner_texts() == given


def test_a_click_on_a_node_shows_its_rows(opened):
    found = opened("verification")
    found.page.locator("svg.drawing rect[data-node=leaf02]").click()
    section = found.page.locator("section:has(h2:text('Results'))")
    assert section.locator("tbody tr:visible td:nth-child(3)").all_inner_texts() == [
        "leaf02:swp1",
        "leaf02:swp2",
        "leaf02:swp10",
    ]


def test_the_keyboard_reaches_what_the_script_adds(opened):
    page = opened("verification").page
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.tagName"))
    assert {"INPUT", "BUTTON"} <= reached


def test_without_its_script_a_page_shows_all_rows_and_offers_nothing_dead(opened):
    page = opened("verification", java_script_enabled=False).page
    assert page.locator("tbody tr:visible").count() == page.locator("tbody tr").count() >= 14
    assert page.locator("input, button").count() == 0
    assert page.locator("svg.drawing").is_visible()


def test_colours_follow_what_the_reader_prefers(opened):
    grounds = [
        opened("lab", color_scheme=scheme).page.evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert grounds[0] != grounds[1]


def test_a_printed_page_is_light_and_has_no_controls(opened):
    page = opened("verification", color_scheme="dark").page
    page.emulate_media(media="print")
    assert page.locator(".filter").first.is_hidden()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.pdf().startswith(b"%PDF")
