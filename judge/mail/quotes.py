"""The text a person typed, cut out of what a mail program sent: a line machine, no backtracking.

Lines come as (depth, text); depth counts the quote marks before it.  Quoted lines are never typed.  Unmarked text is
cut only at something that surely heads a quote.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.mail.phrases import DIVIDERS, FOOTER_BEGINNINGS, FOOTER_WORDS, FROM, SENT, SUBJECT, TO, WROTE
from judge.mail.settings import Fence

_MARKS = re.compile(r"(?:>[ \t]?)+")
_FRAME = re.compile(r"[-=_#*~\s]{2,}")
_LABEL = re.compile(r"[*_]{0,2}([^\W\d_][^:<>@*]{0,30}?)[*_]{0,2}[ \t\u00a0]*[:：][*_]{0,2}(?:[ \t\u00a0]|$)")
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{2,4}\b|\d\d\d\d[./-]\s?\d{1,2}[./-]\s?\d{1,2}")
_TIME = re.compile(r"\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?h ?\d\d\b")
_MAIL = re.compile(r"[^\s<>@,;:]{1,64}@[^\s<>@,;:.]{1,63}\.[^\s<>@,;:]{1,190}")
_WROTE = re.compile("(?:^|[\\s,>)\"'\u00a0])(?:" + "|".join(re.escape(word) for word in WROTE) + ")(?:[\\s,:(]|$)", re.IGNORECASE)
_HEADING_WORDS = ("on ", "am ", "dne ", "dňa ", "le ", "w dniu ", "dnia ", "el ", "il ", "em ", "op ", "den ", "på ", "в ")
_DIVIDERS = frozenset(DIVIDERS)
_KNOWN = frozenset({*FROM, *SENT, *TO, *SUBJECT})
_FROM, _SENT, _SUBJECT = frozenset(FROM), frozenset(SENT), frozenset(SUBJECT)
_PGP = "-----BEGIN PGP "
_FOOTER = re.compile(rf"[ \t]*(?:{'|'.join(map(re.escape, FOOTER_BEGINNINGS))})", re.IGNORECASE)
_FOOTER_LINE = re.compile(rf"^{_FOOTER.pattern}", re.IGNORECASE | re.MULTILINE)
_FOOTER_WORD = re.compile("|".join(map(re.escape, FOOTER_WORDS)), re.IGNORECASE)
_SIGNATURES = ("--", "—")  # RFC 3676 4.3, also without its space, and as telephones write two hyphens
_ODD = re.compile(r"^[ \t]*[-_=*#~—]|[0-9@<:：]")  # what any head, divider, marker or signature has, and few orders
_SPECIAL = re.compile(rf"^[ \t]*[-_=*#~—>]|[0-9@<:：]|^begin |^{_FOOTER.pattern}", re.IGNORECASE | re.MULTILINE)
_LONGEST_HEAD = 1_000  # a longer line is no head of anything, and no pattern is tried on it
_UU_BEGIN = re.compile(r"begin [0-7]{3,4} \S")

Line = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Cut:
    """What was typed, and whether quoted text was left out."""

    lines: tuple[str, ...]
    quoted: bool
    encrypted: bool = False


def mark_depths(lines: Sequence[str]) -> list[Line]:
    """Lines as they stand to lines with their depth.

    >>> mark_depths(["A PAR H", "> > old", ">older"])
    [(0, 'A PAR H'), (2, 'old'), (1, 'older')]
    """
    out: list[Line] = []
    for line in lines:
        marks = _MARKS.match(line) if line.startswith(">") else None
        out.append((marks[0].count(">"), line[marks.end() :]) if marks else (0, line))
    return out


def unflow(lines: Sequence[str], delsp: bool) -> list[Line]:
    """Lines of format=flowed put together again (RFC 3676); a signature separator is never a soft break.

    >>> unflow(["A BUD - ", "SER", " F TRI - ALB", ">> A VIE - ", ">> TRI", "-- ", "Anna"], True)
    [(0, 'A BUD -SER'), (0, 'F TRI - ALB'), (2, 'A VIE -TRI'), (0, '-- '), (0, 'Anna')]
    """
    out: list[Line] = []
    open_depth = -1  # depth of a paragraph that goes on, -1 for none
    pieces: list[str] = []
    for line in lines:
        depth = len(line) - len(line.lstrip(">"))
        text = line[depth:].removeprefix(" ")
        if open_depth >= 0 and (depth != open_depth or text == "-- "):
            out.append((open_depth, "".join(pieces)))
            open_depth, pieces = -1, []
        if text.endswith(" ") and text != "-- ":
            pieces.append(text[:-1] if delsp else text)
            open_depth = depth
        elif open_depth >= 0:
            out.append((depth, "".join([*pieces, text])))
            open_depth, pieces = -1, []
        else:
            out.append((depth, text))
    if open_depth >= 0:
        out.append((open_depth, "".join(pieces)))
    return out


def typed_lines(lines: Sequence[Line], own_addresses: Sequence[str], fences: Sequence[Fence] = ()) -> Cut:
    """The lines a person typed, in order, without quotes, heads of quotes, signature and advertising.

    `own_addresses` are ours without what a delimiter joins to them; a framed line that names one of them is our own
    marker, and what is below it is ours.
    """
    if not any(depth for depth, _ in lines) and not _SPECIAL.search("\n".join(text for _, text in lines)):
        return Cut(tuple(_trimmed([text for _, text in lines])), False)  # just lines, as most orders are
    plain, encrypted = _without_armour(lines)
    fenced = _inside_fences(plain, fences)
    cutter = _Cutter(plain, fenced, [address.lower().split("@") for address in own_addresses])
    typed = cutter.run()
    return Cut(tuple(_trimmed(typed)), cutter.quoted, encrypted)


def _trimmed(lines: list[str]) -> list[str]:
    """Without empty lines at both ends."""
    said = [at for at, text in enumerate(lines) if text.strip()]
    return lines[said[0] : said[-1] + 1] if said else []


def _inside_fences(lines: Sequence[Line], fences: Sequence[Fence]) -> list[bool]:
    """Which lines stand between an opening word and its closing word that comes later."""
    inside = [False] * len(lines)
    if not fences:
        return inside
    openings = {fence.opening.casefold() for fence in fences}
    closings = {fence.closing.casefold() for fence in fences}
    longest = max(len(opening.split()) for opening in openings)
    begun = -1
    for at, (depth, text) in enumerate(lines):
        words = [] if depth else text[:_LONGEST_HEAD].casefold().replace(":", ": ").split()
        if begun < 0 and any(" ".join(words[:count]).rstrip(": ") in openings for count in range(1, min(longest, len(words)) + 1)):
            begun = at
        elif begun >= 0 and " ".join(words).rstrip(".") in closings:
            inside[begun : at + 1] = [True] * (at + 1 - begun)
            begun = -1
    return inside


def _without_armour(lines: Sequence[Line]) -> tuple[list[Line], bool]:
    """PGP clear text without its armour and dash-escapes (RFC 9580 section 7); uuencoded files left out."""
    if not any(text.startswith(("-----BEGIN PGP ", "begin ")) for _, text in lines):
        return list(lines), False
    out: list[Line] = []
    encrypted = False
    state = ""
    last_end = max((at for at, (_, text) in enumerate(lines) if text.rstrip() == "end"), default=-1)
    for at, (depth, text) in enumerate(lines):
        bare = text.rstrip()
        if depth:
            out.append((depth, text))
        elif state == "skip":
            state = "" if bare.startswith("-----END PGP ") else "skip"
        elif state == "uu":
            state = "" if bare == "end" else "uu"
        elif state == "head":
            state = "head" if bare else "signed"
        elif bare.startswith(_PGP) and bare.endswith("-----"):
            state = "head" if bare == "-----BEGIN PGP SIGNED MESSAGE-----" else "skip"
            encrypted = encrypted or bare == "-----BEGIN PGP MESSAGE-----"
        elif at < last_end and _UU_BEGIN.match(bare):
            state = "uu"
        else:
            out.append((depth, text.removeprefix("- ") if state == "signed" else text))
    return out, encrypted


class _Cutter:
    """One walk over the lines; `run` gives what was typed."""

    def __init__(self, lines: Sequence[Line], fenced: Sequence[bool], own: Sequence[Sequence[str]]) -> None:
        self.lines = lines
        self.fenced = fenced
        self.own = own
        self.quoted = False
        self.broken = False  # this program breaks its quoted lines, and the rests carry no mark
        self.footers = _FOOTER_LINE.search("\n".join(text for _, text in lines)) is not None
        self.next_said = self._next_said()

    def _next_said(self) -> list[int]:
        """For each line the number of the first line from there on that says anything."""
        out = [len(self.lines)] * (len(self.lines) + 1)
        for at in range(len(self.lines) - 1, -1, -1):
            depth, text = self.lines[at]
            out[at] = at if depth or text.strip() else out[at + 1]
        return out

    def run(self) -> list[str]:
        typed: list[str] = []
        at = 0
        while at < len(self.lines):
            depth, text = self.lines[at]
            skipped = 1
            if depth:
                self.quoted = True
            elif self.fenced[at] or len(text) > _LONGEST_HEAD:
                typed.append(text)
            elif (at and self._is_rest(at)) or (self.footers and _is_footer(text)):
                pass
            elif not _ODD.search(text):
                typed.append(text)
            elif text.strip() in _SIGNATURES:
                break
            elif self._heads_rest(at):
                self.quoted = True
                break
            elif length := self._head_of_marked(at):
                self.quoted = True
                skipped = length
            else:
                typed.append(text)
            at += skipped
        return typed

    def _heads_rest(self, at: int) -> bool:
        """Whether everything from this line on is an earlier mail: our marker, a divider, the head of a quote."""
        text = self.lines[at][1].strip()
        return self._is_marker(text) or self._is_divider(at, text) or self._is_header_block(at) or self._heads_unmarked(at)

    def _is_marker(self, text: str) -> bool:
        """Our own line: framed, and it names one of our addresses or says that replies go above."""
        if not (_FRAME.match(text) and _FRAME.search(text[-3:])):
            return False
        low = text.lower()
        return ("reply" in low and "above" in low and "line" in low) or self._names_us(low)

    def _names_us(self, low: str) -> bool:
        for address in _MAIL.findall(low) if "@" in low else ():
            local, _, host = address.rpartition("@")
            if any(host.rstrip(".") == there and (local == here or local.startswith((here + "+", here + "-"))) for here, there in self.own):
                return True
        return False

    def _is_divider(self, at: int, text: str) -> bool:
        framed = text.startswith(("---", "===", "___", "***", "-- "))
        if len(text) > 200 or not (framed or text.endswith(":")):
            return False
        low = " ".join(text.strip("-=_*#~ \t").lower().split()).rstrip(":")
        if low in _DIVIDERS:
            return True
        if framed and any(low.startswith(phrase) for phrase in DIVIDERS):
            return True
        if (len(text) >= 8 and set(text) <= {"_"}) or (framed and len(text) >= 8):
            return self._labels_after(at + 1) >= 2
        return False

    def _labels_after(self, at: int) -> int:
        """How many of the next lines that say anything are ``Label: value`` with a known label."""
        count = 0
        for _ in range(6):
            at = self.next_said[at] if at < len(self.lines) else at
            if at >= len(self.lines) or self.lines[at][0]:
                break
            count += _label(self.lines[at][1]) in _KNOWN
            at += 1
        return count

    def _is_header_block(self, at: int) -> bool:
        """Outlook's block: From, Sent, To, Subject in one of many languages, each on its line (or wrapped)."""
        if _label(self.lines[at][1]) not in _FROM:
            return False
        found: set[str] = set()
        misses = 0
        for depth, text in self.lines[at : at + 14]:
            label = _label(text)
            if depth or not text.strip():
                if found and len(found) < 3 and not depth:
                    continue
                break
            if label in _KNOWN:
                found.add(label)
                misses = 0
            else:
                misses += 1
                if misses > 2:
                    break
        return len(found) >= 3 and bool(found & (_SENT | _SUBJECT))

    def _head_of_marked(self, at: int) -> int:
        """How many lines from here are the head ("On ... wrote:", maybe wrapped) of the marked quote that follows."""
        for length, said in self._heads(at):
            after = self.next_said[at + length]
            if after < len(self.lines) and self.lines[after][0] and _is_attribution(said):
                return length
        return 0

    def _heads_unmarked(self, at: int) -> bool:
        """Whether a whole head stands here, with date and writer, and the quote below it carries no marks."""
        for length, said in self._heads(at):
            if said.endswith(":") and _is_attribution(said):
                after = self.next_said[at + length]
                if after < len(self.lines) and self.lines[after][0]:
                    return False
                whole = _DATE.search(said) and _WROTE.search(said) and (_TIME.search(said) or _has_mail(said))
                return bool(whole) or self._names_us(said.lower())
        return False

    def _heads(self, at: int) -> Iterator[tuple[int, str]]:
        """What may be a head that begins here: its lines, wrapped into at most three, put together.

        Only a line that has a date, a time or an address can be the first of several: an order stands often right
        above the head and must not be drawn into it.
        """
        said = ""
        for length in (1, 2, 3):
            last = at + length - 1
            if last >= len(self.lines) or self.lines[last][0] or self.fenced[last] or not self.lines[last][1].strip():
                return
            text = self.lines[last][1].strip()
            if len(text) > _LONGEST_HEAD:
                return
            said = f"{said} {text}" if said else text
            yield length, said
            if length == 1 and not (_DATE.search(text) or _TIME.search(text) or _has_mail(text) or "<" in text):
                return

    def _is_rest(self, at: int) -> bool:
        """Whether this unmarked line is the broken end of the marked line above it."""
        if not self.lines[at - 1][0]:
            return False
        text = self.lines[at][1].strip()
        above = self.lines[at - 1][1].rstrip()
        goes_on = at + 1 < len(self.lines) and self.lines[at + 1][0] > 0
        if text and goes_on and _is_attribution(f"{above.removesuffix('=').rstrip()} {text}") and not above.endswith(":"):
            self.broken = True
            return True
        return bool(text) and goes_on and (self.broken or above.endswith("="))


def _has_mail(text: str) -> bool:
    return "@" in text and _MAIL.search(text) is not None  # the pattern alone would be slow on long words


def _label(text: str) -> str:
    """The label of a ``Label: value`` line, folded; empty where it is none.

    >>> _label("*Odesláno:* neděle"), _label("A PAR - BUR"), _label("Von: X")
    ('odesláno', '', 'von')
    """
    found = _LABEL.match(text.strip()[:80])
    return " ".join(found[1].lower().split()) if found else ""


def _is_attribution(said: str) -> bool:
    """Whether this is a program's line that says who wrote the quote below it, and when.

    >>> _is_attribution("On Sun, Nov 29, 2026 at 8:00 AM hanse judge < judge@example.org> wrote:")
    True
    >>> _is_attribution("нд, 29 нояб. 2026 г. в 9:00, danube judge <judge@example.org>:")
    True
    >>> _is_attribution("posílám rozkazy Turecka:"), _is_attribution("My orders for 1901:")
    (False, False)
    """
    if len(said) > 500:
        return False
    bare = said.rstrip()
    ends = bare.endswith((":", "：")) or (bare.endswith(")") and ":" in bare[-40:])
    if not ends and not (_WROTE.search(bare[-20:]) and (_DATE.search(bare) or _has_mail(bare))):
        return False
    wrote, mail = bool(_WROTE.search(said)), _has_mail(said)
    date, clock = bool(_DATE.search(said)), bool(_TIME.search(said))
    if wrote:
        return date or mail or clock or len(said.split()) <= 6
    return (mail and (date or clock)) or (date and clock and "<" in said) or (date and clock and said.lower().startswith(_HEADING_WORDS))


def _is_footer(text: str) -> bool:
    """Whether a line is the advertising of a telephone or mail program.

    >>> [_is_footer(t) for t in ("Sent from my iPhone", "Odesláno z Outlooku pro Android", "Sent from Paris", "Küldve iPhone-ról")]
    [True, True, False, True]
    """
    return len(text) <= 200 and _FOOTER.match(text) is not None and _FOOTER_WORD.search(text) is not None
