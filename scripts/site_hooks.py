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


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the top."""
    for name, source in TOP.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        text = re.sub(r"\]\(docs/", "](", text)
        files.append(File.generated(config, name, content=_renamed(text, "")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Send links to pages of the top to their place on the site."""
    del config, files
    return _renamed(markdown, "../" * (page.file.src_uri.count("/") + 1))


def _renamed(text: str, up: str) -> str:
    for name, source in TOP.items():
        text = text.replace(f"]({up}{source}", f"]({up[3:]}{name}")
    return text
