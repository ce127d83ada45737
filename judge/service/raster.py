"""Sheets to PNG: the empty board is rastered once and kept, a picture is pieces laid over it."""

import hashlib
import os
from collections.abc import Callable, Iterable
from functools import lru_cache
from io import BytesIO
from math import ceil, floor
from pathlib import Path
from tempfile import NamedTemporaryFile

import resvg_py
from PIL import Image, ImageChops

from judge.board import Board
from judge.picture import Box, Drawing, Piece, Sheet, channels, definitions, flat_colours, lay_swatches, write_svg
from judge.picture import fragment as fragment_of
from judge.service.inking import ink

TILES_KEPT = 6000
"""Rastered pieces a press keeps in memory: units, labels and lands come again in every picture, arrows do not."""
LANDS_KEPT = 400
"""Lands in their owners' colours a press keeps in memory, up to 100 kB each: a game changes few of them from phase to phase."""
COLOURS = 136
"""Colours of a picture: more are hardly seen and cost bytes.  Boards of many powers get more, up to 256."""
PACKING = 4
"""Level of the PNG's deflate: 6 takes twice the time for 8 % fewer bytes."""
PAPER, FRAME = (0xFB, 0xF9, 0xF3), (0x4A, 0x43, 0x39)


class Press:
    """Prints the sheets of one drawing at one width.

    `folder` keeps the empty board and its palette between processes; any number of processes may share it.  Making a press takes a
    second or two the first time, some milliseconds later; a print then takes well under 0.1 s.
    """

    def __init__(self, drawing: Drawing, board: Board, width: int = 0, folder: Path | None = None) -> None:
        self.drawing = drawing
        self.scale = (width or drawing.size[0]) / drawing.size[0]
        self._tile = lru_cache(maxsize=TILES_KEPT)(self._drawn_tile)
        self._merged = lru_cache(maxsize=TILES_KEPT)(self._put_together)
        self._land = lru_cache(maxsize=LANDS_KEPT)(self._coloured_land)
        self._whole_px = lru_cache(maxsize=TILES_KEPT)(self._sharp_stencil)
        plate = lay_swatches(drawing, board)
        self._key = hashlib.sha256(f"{write_svg(plate)} {self.scale} {COLOURS}".encode()).hexdigest()[:24]
        self._folder = folder
        self._bottom = self._kept("bottom", lambda: self._whole(plate.bottom).convert("RGB"))
        self._top = self._kept("top", lambda: self._whole(plate.top))
        self._palette = self._kept(
            "palette", lambda: _palette_of(self._composed(plate), flat_colours(drawing.style.looks(board.powers).values()))
        )

    def print_png(self, sheet: Sheet) -> bytes:
        """The sheet as a PNG with a palette."""
        image = self._composed(sheet).quantize(palette=self._palette, dither=Image.Dither.NONE)
        out = BytesIO()
        image.save(out, "PNG", compress_level=PACKING)
        return out.getvalue()

    def _composed(self, sheet: Sheet) -> Image.Image:
        """The sheet in full colour."""
        image = self._bottom.copy()
        self._lay_lands(image, sheet.ground)
        image.paste(self._top, (0, 0), self._top)
        self._lay(image, sheet.over)
        _draw_frame(image)
        if not sheet.strips:
            return image
        paper = Image.new("RGB", (image.width, round(sheet.size[1] * self.scale)), PAPER)
        paper.paste(image, (round(sheet.origin[0] * self.scale), round(sheet.origin[1] * self.scale)))
        self._lay(paper, sheet.strips)
        return paper

    def _lay_lands(self, image: Image.Image, ground: Iterable[Piece]) -> None:
        """Lay the owners' colours, each land with its band at once and by whole pixels: its edge is hidden under a border's line."""
        for tint, band in _with_bands(ground):
            tile, mask, corner = self._land(tint, band)
            image.paste(tile, corner, mask)

    def _coloured_land(self, tint: Piece, band: Piece | None) -> tuple[Image.Image, Image.Image, tuple[int, int]]:
        """A land in its owner's colour, the pixels that are its own, and where its corner lies."""
        stencil, left, top = self._tile(tint.svg, tint.box, tint.uses, True)
        tile = Image.new("RGB", stencil.size, tint.ink)
        if band:
            inner, x, y = self._merged(band.parts)
            tile.paste(band.ink, (x - left, y - top), inner)
        return tile, self._whole_px(tint.svg, tint.box, tint.uses), (left, top)

    def _sharp_stencil(self, svg: str, box: Box, uses: tuple[str, ...]) -> Image.Image:
        """The pixels of which a piece covers at least half."""
        return self._tile(svg, box, uses, True)[0].point(lambda covered: 255 if covered >= 128 else 0, "1")

    def _lay(self, image: Image.Image, pieces: Iterable[Piece]) -> None:
        """Lay pieces over an image, one after another."""
        for piece in pieces:
            if piece.strokes:
                ink(image, piece.strokes, self.scale)
                continue
            tile, left, top = self._tile(piece.svg, piece.box, piece.uses, bool(piece.ink))
            image.paste(piece.ink or tile, (left + round(piece.at[0] * self.scale), top + round(piece.at[1] * self.scale)), tile)

    def _put_together(self, parts: tuple[Piece, ...]) -> tuple[Image.Image, int, int]:
        """The stencils of some parts as one: where they overlap, the stronger counts."""
        tiles = [self._tile(part.svg, part.box, part.uses, True) for part in parts]
        left, top = min(x for _, x, _ in tiles), min(y for _, _, y in tiles)
        right, bottom = max(x + tile.width for tile, x, _ in tiles), max(y + tile.height for tile, _, y in tiles)
        whole = Image.new("L", (right - left, bottom - top))
        for tile, x, y in tiles:
            box = (x - left, y - top, x - left + tile.width, y - top + tile.height)
            whole.paste(ImageChops.lighter(whole.crop(box), tile), box)
        return whole, left, top

    def _drawn_tile(self, svg: str, box: Box, uses: tuple[str, ...], is_stencil: bool) -> tuple[Image.Image, int, int]:
        """One piece rastered, and where its corner lies seen from its point; of a stencil only how far it covers."""
        left, top = floor(box[0] * self.scale), floor(box[1] * self.scale)
        width, height = max(1, ceil(box[2] * self.scale) - left), max(1, ceil(box[3] * self.scale) - top)
        view = f"{left / self.scale:.4f} {top / self.scale:.4f} {width / self.scale:.4f} {height / self.scale:.4f}"
        image = rastered(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="{view}" color="#000">'
            f"<defs>{definitions(self.drawing, uses)}</defs>{svg}</svg>"
        )
        return (image.getchannel("A") if is_stencil else image), left, top

    def _whole(self, piece: Piece) -> Image.Image:
        width, height = self.drawing.size
        size = f'width="{round(width * self.scale)}" height="{round(height * self.scale)}"'
        body = f"<defs>{definitions(self.drawing, piece.uses)}</defs>{fragment_of(piece)}"
        return rastered(f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {height}">{body}</svg>')

    def _kept(self, name: str, make: Callable[[], Image.Image]) -> Image.Image:
        """An image from the folder, or made now and put there for the next process."""
        if self._folder is None:
            return make()
        path = self._folder / f"board-{self._key}-{name}.png"
        try:
            with Image.open(path) as kept:
                kept.load()
                return kept
        except (OSError, SyntaxError):  # not there yet, or torn: Pillow calls a broken PNG a SyntaxError
            image = make()
            out = BytesIO()
            image.save(out, "PNG")
            write_whole(path, out.getvalue())
            return image


def rastered(svg: str) -> Image.Image:
    """An SVG document as an RGBA image."""
    image = Image.open(BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))))
    return image.convert("RGBA")


def print_once(sheet: Sheet, width: int = 0) -> bytes:
    """A sheet as PNG without a press: right for one picture, a second or two; flat colours are kept exactly."""
    svg = write_svg(sheet)
    wide = width or sheet.size[0]
    image = Image.open(BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, width=wide))))
    out = BytesIO()
    flat = image.convert("RGB").quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE)
    flat.save(out, "PNG", compress_level=9)
    return out.getvalue()


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in place all at once, so that another process never reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as file:
        file.write(content)
    os.replace(file.name, path)


def _palette_of(image: Image.Image, exact: tuple[str, ...]) -> Image.Image:
    """A palette image: the `exact` colours as they are, and those between that `image` has most of."""
    flat = [channels(colour) for colour in exact][:208]
    room = max(COLOURS - len(flat), 48)
    between = image.quantize(room, method=Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE)
    palette = Image.new("P", (16, 16))
    palette.putpalette([value for colour in flat for value in colour] + (between.getpalette() or [])[: room * 3])
    return palette


def _with_bands(ground: Iterable[Piece]) -> Iterable[tuple[Piece, Piece | None]]:
    """Each land's tint with the band that follows it, if one does: only bands have parts."""
    pieces = list(ground)
    for piece, after in zip(pieces, [*pieces[1:], None], strict=True):
        if not piece.parts:
            yield piece, after if after and after.parts else None


def _draw_frame(image: Image.Image) -> None:
    width, height = image.size
    for box in ((0, 0, width, 1), (0, height - 1, width, height), (0, 0, 1, height), (width - 1, 0, width, height)):
        image.paste(FRAME, box)
