"""The site builds without a warning, its links lead somewhere, and it needs nothing from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest

pytest.importorskip("material", reason="the site needs the dependency group docs")

ROOT = Path(__file__).parents[2]
LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """The ids of a page, where its links lead, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.ids |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag in LOADS and LOADS[tag] in found:
            self.loads.append(found[LOADS[tag]])
        if tag == "link" and found.get("rel") in {"stylesheet", "icon", "preconnect", "preload"}:
            self.loads.append(found["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    argv = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    env = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(argv, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}


def _leading_nowhere(pages: dict[Path, Page]) -> Iterator[tuple[str, str]]:
    for path, page in pages.items():
        if path.name == "404.html":
            continue
        for href in page.links:
            target, anchor = urldefrag(unquote(href))
            if "://" in target or target.startswith("mailto:"):
                continue
            at = (path.parent / target).resolve() if target else path
            if not at.exists() or (anchor and at in pages and anchor not in pages[at].ids):
                yield path.name, href


def test_every_link_and_anchor_leads_somewhere(pages: dict[Path, Page]) -> None:
    assert len(pages) > 30
    assert list(_leading_nowhere(pages)) == []


def test_no_page_loads_anything_from_outside(pages: dict[Path, Page], site: Path) -> None:
    outside = [
        (path.name, each) for path, page in pages.items() for each in page.loads if each.startswith(("http", "//"))
    ]
    assert outside == []
    assert [
        path.name for path in site.rglob("*.css") if "url(http" in path.read_text() or "@import" in path.read_text()
    ] == []


def test_the_index_of_the_search_holds_the_keys(site: Path) -> None:
    assert "topology.cables.length_m" in (site / "search" / "search_index.js").read_text()


@pytest.mark.browser
def test_search_finds_pages_without_a_server_and_without_a_network(site: Path, chromium: Any) -> None:
    page = chromium.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "howto" / "ci.html").as_uri())
    for _ in range(60):  # the index is read in the background, and what is typed before is not looked up
        page.fill("input.md-search__input", "")
        page.locator("input.md-search__input").press_sequentially("headroom")
        page.wait_for_timeout(500)
        if page.locator(".md-search-result__item").count():
            break
    found = page.locator(".md-search-result__item").all_inner_texts()
    page.close()
    assert any("headroom" in each.lower() for each in found)
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
