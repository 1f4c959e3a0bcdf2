"""A loaded intent file: the models with the source position of every key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fabric.intent.listed import ListedCable
from fabric.intent.models import Intent
from fabric.places import Place


@dataclass(frozen=True)
class Document:
    """An intent with positions.

    ``places`` are under dotted paths such as ``classes.rdma.dscp`` or ``topology.cables.0``; ``digest`` is the SHA-256
    of the bytes of the file and of the CSV files that it names; ``file`` its name as the user gave it. ``cables`` are
    those that CSV files list, in order of entries and lines.
    """

    file: str
    intent: Intent
    places: Mapping[str, Place]
    digest: str
    cables: tuple[ListedCable, ...] = ()

    def place(self, path: str) -> Place | None:
        """Return where ``path`` stands, or the nearest enclosing key that stands anywhere.

        A key that the user left out (``classes.rdma.queue``) thus leads to the entry that it belongs to;
        ``None`` where not even the first name of the path is in the file.
        """
        while path:
            if path in self.places:
                return self.places[path]
            path = path.rpartition(".")[0]
        return None
