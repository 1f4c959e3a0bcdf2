"""Hooks of mkdocs: the pages at the top of the repository join the site, and links to them are made to fit."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
# Pages of the site that stand at the top of the repository, under the name they get here.
TOP = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}


# What the theme would load from a CDN to make search work without a server, and our own that stands in for it.
SHIM = "https://unpkg.com/iframe-worker/shim"
WORKER = "assets/worker.js"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the top."""
    for name, source in TOP.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        text = re.sub(r"\]\(docs/", "](", text)
        files.append(File.generated(config, name, content=_renamed(text, "")))
    worker = (ROOT / "scripts" / "site_worker.js").read_text(encoding="utf-8")
    files.append(File.generated(config, WORKER, content=worker))
    return files


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Load the worker from the site itself."""
    del config
    return output.replace(SHIM, "../" * page.file.dest_uri.count("/") + WORKER)


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """Load the worker from the site itself, also where a page is no page (404.html)."""
    del template_name, config
    return output_content.replace(SHIM, f"/{WORKER}")


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Send links to pages of the top to their place on the site."""
    del config, files
    return _renamed(markdown, "../" * (page.file.src_uri.count("/") + 1))


def _renamed(text: str, up: str) -> str:
    for name, source in TOP.items():
        text = text.replace(f"]({up}{source}", f"]({up[3:]}{name}")
    return text
