"""Blueprint: all that is decided once for the whole fabric, before settings per node are made of it."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.design.addressing import Pools
from fabric.design.layout import Layout
from fabric.design.model import TrafficClass
from fabric.design.quality import Quality
from fabric.intent.document import Document


@dataclass(frozen=True)
class Blueprint:
    """The intent, nodes and cables, where addresses come from, classes, and what they mean on ports."""

    document: Document
    layout: Layout
    pools: Pools
    classes: tuple[TrafficClass, ...]
    quality: Quality
