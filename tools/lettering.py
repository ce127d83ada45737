"""Make maps/standard/glyphs.json, the lettering of all pictures, from Alegreya and Alegreya Sans (SIL Open Font License).

``npm pack @fontsource/alegreya @fontsource/alegreya-sans``, unpack each into a folder of its own, then from the root of a checkout
``python tools/lettering.py FOLDER_OF_ALEGREYA FOLDER_OF_ALEGREYA_SANS``.  Needs fontTools.
"""

import json
import sys
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont

FACES = {
    "bold": ("alegreya-sans", "700-normal"),
    "text": ("alegreya-sans", "500-normal"),
    "sea": ("alegreya", "500-italic"),
    "title": ("alegreya", "700-normal"),
}
SUBSETS = ("latin", "latin-ext", "cyrillic", "cyrillic-ext")
LATIN = [chr(code) for code in (*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x218, 0x21C), 0x1E9E)]
SIGNS = list("–—‘’‚“”„†•…‹›€№−→")
CYRILLIC = [chr(code) for code in (*range(0x401, 0x40D), *range(0x40E, 0x450), *range(0x451, 0x45D), 0x45E, 0x45F, 0x490, 0x491)]
NOTE = (
    "Outlines of Alegreya / Alegreya Sans, Copyright The Alegreya (Sans) Project Authors, SIL Open Font License 1.1 (see OFL.txt). "
    "1000 units per em, y up."
)


def outlines(folder: Path, family: str, cut: str) -> dict[str, list]:
    """Advance and outline of every letter wanted that the face has, from the subset that has it."""
    out: dict[str, list] = {}
    for subset in SUBSETS:
        font = TTFont(folder / "files" / f"{family}-{subset}-{cut}.woff")
        names, glyphs, em = font.getBestCmap(), font.getGlyphSet(), font["head"].unitsPerEm
        assert em == 1000, "the sizes of the style assume 1000 units an em"
        for letter in (*LATIN, *SIGNS, *CYRILLIC):
            name = names.get(ord(letter))
            if name is not None and letter not in out:
                pen = SVGPathPen(glyphs, lambda value: str(round(value)))
                glyphs[name].draw(pen)
                out[letter] = [round(glyphs[name].width), pen.getCommands()]
    return dict(sorted(out.items()))


def main() -> None:
    """Write the file, a line for each letter."""
    folders = {"alegreya": Path(sys.argv[1]), "alegreya-sans": Path(sys.argv[2])}
    faces = {face: outlines(folders[family], family, cut) for face, (family, cut) in FACES.items()}
    lines = [
        f'  "{face}": {{\n'
        + ",\n".join(f"   {json.dumps(letter, ensure_ascii=False)}: {json.dumps(glyph)}" for letter, glyph in letters.items())
        + "\n  }"
        for face, letters in faces.items()
    ]
    text = f'{{\n "note": {json.dumps(NOTE)},\n "faces": {{\n' + ",\n".join(lines) + "\n }\n}\n"
    Path("maps/standard/glyphs.json").write_text(text, encoding="utf-8")
    print({face: len(letters) for face, letters in faces.items()})


if __name__ == "__main__":
    main()
