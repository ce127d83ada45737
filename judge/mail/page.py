"""HTML to the text a person sees: one pass, linear in time, quotes and signatures of mail programs told apart."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from itertools import islice


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BLOCKS = _names(
    "address article aside blockquote body br caption center dd details dir div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 "
    "header hr html li main menu nav ol p pre section summary table tbody tfoot thead tr ul"
)
_VOID = _names("area base br col embed hr img input link meta param source track wbr")
_UNSEEN = _names("head style script title template noscript svg math object iframe select textarea button applet audio video canvas")
_RAW = _names("style script title textarea")
_ATTRIBUTE = re.compile(r"""([A-Za-z_:][-A-Za-z0-9_:.]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
_HIDDEN_STYLE = re.compile(
    r"display:none|visibility:hidden|font-size:0(?:px|pt|em|%)?(?:;|$|!)|mso-hide:all|opacity:0(?:;|$)|max-height:0(?:px)?(?:;|$)"
)
_SPACE = re.compile("[ \t\r\n\f\u00a0\u2002-\u200a\u202f\u205f\u3000]+")
_WINGDINGS = str.maketrans(
    {"à": "→", "ß": "←", "è": "→", "ç": "←", "á": "↑", "â": "↓", "ð": "→", "ï": "←", "J": "☺", "L": "☹", "§": "•", "ü": "✓"}
)
_QUOTE_CLASSES = ("yahoo_quoted", "moz-forward-container", "zmail_extra", "tutanota_quote", "protonmail_quote", "gmx_quote")
_HEAD_CLASSES = ("moz-cite-prefix", "gmail_attr", "yahoo_quoted_header")
_SIGNATURES = ("gmail_signature", "moz-signature", "applemailsignature", "ms-outlook-mobile-signature", "protonmail_signature_block")
_LONGEST_TAG = 20_000
_MOST_PIECES = 40_000  # a page that says nothing in so many tags says nothing
QUOTE_LINE = "> …"  # stands where a page held a quote, so that the cutter of plain text knows what is a quote's head


@dataclass(frozen=True, slots=True)
class _Tag:
    """One tag: its name, whether it closes, its attributes."""

    name: str
    closes: bool
    attributes: dict[str, str]

    def names(self) -> str:
        """Class and id together, lower case: what mail programs are known by."""
        return f"{self.attributes.get('class', '')} {self.attributes.get('id', '')}".lower()

    def style(self) -> str:
        """The inline style, lower case, without blanks."""
        return "".join(self.attributes.get("style", "").lower().split())


def _pieces(page: str) -> Iterator[str | _Tag]:
    """Text and tags of a page in order; comments and what never ends are left out."""
    at = 0
    while at < len(page):
        start = page.find("<", at)
        if start < 0:
            yield page[at:]
            return
        if start > at:
            yield page[at:start]
        if page.startswith("<!--", start):
            end = page.find("-->", start + 4)
            if end < 0:
                return
            at = end + 3
            continue
        after = page[start + 1 : start + 2]
        if not (after.isalpha() or after in "/!?") or not after:
            yield "<"
            at = start + 1
            continue
        end = _tag_end(page, start)
        if end < 0:
            return
        tag = _read_tag(page[start + 1 : end])
        at = end + 1
        if tag:
            yield tag
            if tag.name in _RAW and not tag.closes:
                close = re.compile(rf"</{tag.name}\b", re.IGNORECASE).search(page, at)
                if not close:
                    return
                at = close.start()


def _tag_end(page: str, start: int) -> int:
    """Where the tag's > is; quotes are minded unless that finds none near."""
    at, quote = start + 1, ""
    limit = min(len(page), start + _LONGEST_TAG)
    while at < limit:
        char = page[at]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and page[at - 1] == "=":
            quote = char
        elif char == ">":
            return at
        at += 1
    return page.find(">", start)


def _read_tag(inside: str) -> _Tag | None:
    closes = inside.startswith("/")
    body = inside[1:] if closes else inside
    name = re.match(r"[A-Za-z][A-Za-z0-9:-]*", body)
    if not name:
        return None
    attributes: dict[str, str] = {}
    if not closes:
        for number, found in enumerate(_ATTRIBUTE.finditer(body, name.end())):
            if number >= 50:
                break
            attributes.setdefault(found[1].lower(), unescape(found[2] or found[3] or found[4] or ""))
    return _Tag(name[0].lower(), closes, attributes)


class _Reader:
    """Keeps the lines read so far, and which open elements make what follows unseen, a quote or a picture font."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.pieces: list[str] = []
        self.spaced = False  # the line holds a no-break space: Outlook's way to write an empty line
        self.open: list[tuple[str, str]] = []  # element and what it does: "", "unseen", "quote", "wingdings", "pre", "outlook", "gmail"
        self.doing: dict[str, int] = {}
        self.starts: list[int] = []  # where the lines of open "outlook" and "gmail" elements begin
        self.quoted_since: list[bool] = []
        self.ended = False

    def text(self, raw: str) -> None:
        if self.doing.get("unseen") or self.doing.get("quote"):
            return
        said = unescape(raw)
        if self.doing.get("wingdings"):
            said = said.translate(_WINGDINGS)
        if self.doing.get("pre"):
            first, *more = said.replace("\r\n", "\n").split("\n")
            self.pieces.append(first)
            for line in more:
                self.break_line(always=True)
                self.pieces.append(line)
            return
        self.spaced = self.spaced or "\u00a0" in said
        said = _SPACE.sub(" ", said)
        said = said.lstrip() if not self.pieces or self.pieces[-1].endswith(" ") else said
        if said:
            self.pieces.append(said)

    def break_line(self, *, always: bool = False) -> None:
        line = "".join(self.pieces)
        if line.strip() or always or self.spaced:
            self.lines.append(line.rstrip())
        self.pieces, self.spaced = [], False

    def quote_here(self) -> None:
        self.break_line()
        if not self.lines or self.lines[-1] != QUOTE_LINE:
            self.lines.append(QUOTE_LINE)

    def tag(self, tag: _Tag) -> None:
        if tag.closes:
            self.close(tag.name)
            return
        if tag.name == "br":
            if not self.doing.get("unseen") and not self.doing.get("quote"):
                self.break_line(always=True)
            return
        seen = not self.doing.get("unseen") and not self.doing.get("quote")
        if seen and tag.name in _BLOCKS:
            self.break_line()
        if seen and tag.name in ("td", "th") and self.pieces:
            self.text(" ")
        if tag.name == "div" and "divrplyfwdmsg" in tag.names() and seen:
            self.quote_here()
            self.ended = True
        if tag.name in _VOID or self.ended:
            return
        self.push(tag.name, _what_it_does(tag) if seen else "")

    def push(self, name: str, does: str) -> None:
        if len(self.open) >= 5_000:  # what is deeper has no meaning of its own
            return
        if does == "quote":
            self.quote_here()
            if name == "blockquote" and self.quoted_since:
                self.quoted_since[-1] = True
        if does in ("outlook", "gmail"):
            self.break_line()
            self.starts.append(len(self.lines))
            self.quoted_since.append(False)
        self.open.append((name, does))
        self.doing[does] = self.doing.get(does, 0) + 1

    def close(self, name: str) -> None:
        depth = next((at for at in range(len(self.open) - 1, max(len(self.open) - 60, -1), -1) if self.open[at][0] == name), -1)
        if depth < 0:
            return
        if name in _BLOCKS and not self.doing.get("unseen") and not self.doing.get("quote"):
            self.break_line()
        while len(self.open) > depth:
            self.pop()

    def pop(self) -> None:
        _, does = self.open.pop()
        self.doing[does] -= 1
        if does not in ("outlook", "gmail"):
            return
        self.break_line()
        start, quoted = self.starts.pop(), self.quoted_since.pop()
        inside = self.lines[start:]
        if does == "outlook" and sum(_LABEL.match(line) is not None for line in inside) >= 3:
            del self.lines[start:]
            self.quote_here()
            self.ended = True
        if does == "gmail" and not quoted:  # a forwarded mail: no blockquote inside, all of it is another's text
            del self.lines[start:]
            self.quote_here()


_LABEL = re.compile(r"[^\W\d_][^:<>@]{1,30}:(?: |$)")


def _what_it_does(tag: _Tag) -> str:
    """What an element does to the text inside it."""
    names, style = tag.names(), tag.style()
    if tag.name in _UNSEEN or "hidden" in tag.attributes or (style and _HIDDEN_STYLE.search(style)):
        return "unseen"
    if (
        any(name in names for name in _SIGNATURES)
        or tag.attributes.get("data-smartmail") == "gmail_signature"
        or names.strip() == "signature"
    ):
        return "unseen"
    if tag.name == "blockquote":
        own = "border:none" in style and "type" not in tag.attributes and "gmail_quote" not in names
        return "" if own else "quote"
    if any(name in names for name in (*_QUOTE_CLASSES, *_HEAD_CLASSES)):
        return "quote"
    if "outlookmessageheader" in names or ("border-top:" in style and "border:none" in style):
        return "outlook"
    if tag.name == "div" and "gmail_quote" in names:
        return "gmail"
    if "wingdings" in style or "wingdings" in tag.attributes.get("face", "").lower():
        return "wingdings"
    return "pre" if tag.name == "pre" or "white-space:pre" in style else ""


def page_text(page: str) -> str:
    """The text of a page as lines; each quote of an earlier mail has become one line `QUOTE_LINE`.

    Hidden elements, styles and signatures of known programs are left out; cells of a row are joined by a blank.

    >>> page_text("<p>A&nbsp;PAR &rarr; BUR<p style='display:none'>A MAR H</p><ul><li>F BRE H</ul>")
    'A PAR → BUR\\nF BRE H'
    """
    reader = _Reader()
    for piece in islice(_pieces(page), _MOST_PIECES):
        if isinstance(piece, str):
            reader.text(piece)
        else:
            reader.tag(piece)
        if reader.ended:
            break
    while reader.open and not reader.ended:
        reader.pop()
    reader.break_line()
    return "\n".join(reader.lines).strip("\n")
