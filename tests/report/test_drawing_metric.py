"""Widths of texts, held against the tables of the font itself."""

import struct
from pathlib import Path

import pytest

from fabric.report.drawing_metric import text_width

FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
SHOWN = "".join(map(chr, range(0x20, 0x7F))) + "·…"


class Font:
    """As much of a TrueType file as says how wide its characters are."""

    def __init__(self, data):
        self.data = data
        (count,) = struct.unpack_from(">H", data, 4)
        entries = [struct.unpack_from(">4s4xII", data, 12 + 16 * at) for at in range(count)]
        self.at = {name.decode(): offset for name, offset, _ in entries}
        (self.em,) = struct.unpack_from(">H", data, self.at["head"] + 18)
        (self.widths,) = struct.unpack_from(">H", data, self.at["hhea"] + 34)

    def advance(self, character):
        """The width of a character in thousandths of an em."""
        at = min(self.glyph(ord(character)), self.widths - 1)
        return struct.unpack_from(">H", self.data, self.at["hmtx"] + 4 * at)[0] * 1000 / self.em

    def glyph(self, code):
        """Look a code up in the table of format 4, for Windows and Unicode."""
        top = self.at["cmap"]
        (count,) = struct.unpack_from(">H", self.data, top + 2)
        tables = [struct.unpack_from(">HHI", self.data, top + 4 + 8 * at) for at in range(count)]
        start = top + next(offset for platform, encoding, offset in tables if (platform, encoding) == (3, 1))
        pairs = struct.unpack_from(">H", self.data, start + 6)[0] // 2
        ends, starts, deltas, ranges = (
            start + 14 + (2 * pairs + 2 if part else 0) + 2 * pairs * max(part - 1, 0) for part in range(4)
        )
        for at in range(pairs):
            first, last = (struct.unpack_from(">H", self.data, table + 2 * at)[0] for table in (starts, ends))
            if first <= code <= last:
                (delta,) = struct.unpack_from(">h", self.data, deltas + 2 * at)
                (offset,) = struct.unpack_from(">H", self.data, ranges + 2 * at)
                if not offset:
                    return (code + delta) & 0xFFFF
                return struct.unpack_from(">H", self.data, ranges + 2 * at + offset + 2 * (code - first))[0]
        return 0


@pytest.fixture(scope="module")
def font():
    if not FONT.exists():
        pytest.skip(f"{FONT} is not installed")
    return Font(FONT.read_bytes())


def test_no_character_is_wider_than_it_is_taken_for(font):
    for character in SHOWN:
        taken, real = text_width(character, 1000), font.advance(character)
        assert real <= taken < real + 1.01, character


def test_a_character_that_is_not_known_is_taken_for_a_wide_one(font):
    assert text_width("漢", 1000) >= font.advance("漢")
    assert text_width("漢", 1000) >= 1000


def test_a_text_is_as_wide_as_its_characters_and_grows_with_the_font():
    assert text_width("leaf01", 20) == pytest.approx(2 * text_width("leaf01", 10))
    assert text_width("ab", 10) == pytest.approx(text_width("a", 10) + text_width("b", 10))
