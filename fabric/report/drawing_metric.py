"""How wide a text may become, without a font at hand."""

from __future__ import annotations

# Advance widths of DejaVu Sans in thousandths of an em, read from its table `hmtx` and rounded up. It is the widest of
# the fonts that the page's list of families leads to; what fits with it fits with all of them.
_ADVANCES = {
    275: "'",
    278: "ijl",
    295: "IJ",
    318: " ,.·",
    337: "/:;\\|",
    353: "f",
    361: "-",
    391: "()[]",
    393: "t",
    401: "!",
    412: "r",
    460: '"',
    500: "*_`",
    521: "s",
    525: "z",
    531: "?",
    550: "c",
    558: "L",
    576: "F",
    580: "k",
    592: "vxy",
    604: "P",
    611: "TY",
    612: "o",
    613: "a",
    616: "e",
    632: "E",
    634: "hnu",
    635: "Sbdgpq",
    637: "$0123456789{}",
    656: "K",
    685: "AV",
    686: "XZ",
    687: "B",
    695: "R",
    699: "C",
    732: "U",
    749: "N",
    752: "H",
    771: "D",
    775: "G",
    780: "&",
    788: "OQ",
    818: "w",
    838: "#+<=>^~",
    863: "M",
    951: "%",
    975: "m",
    989: "W",
    1000: "@…",
}
_WIDTHS = {character: width for width, characters in _ADVANCES.items() for character in characters}
# No glyph of the fonts that stand in for a missing one is wider than this.
_UNKNOWN = 1400


def text_width(text: str, size: float) -> float:
    """Return a bound for the width of a text in a font of this size."""
    return sum(_WIDTHS.get(character, _UNKNOWN) for character in text) * size / 1000


def fitting(text: str, size: float, room: float) -> str:
    """Return a text, cut and with an ellipsis where it would be wider than there is room; empty if nothing fits."""
    if text_width(text, size) <= room:
        return text
    kept = text
    while kept and text_width(f"{kept}…", size) > room:
        kept = kept[:-1]
    return f"{kept}…" if kept else ""
