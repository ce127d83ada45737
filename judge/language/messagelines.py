"""Commands that carry a text: messages with their addressees, official words, notes, last words."""

import re
from collections.abc import Callable

from judge.game import Command, CommandIncomplete, MakeStatement, SayOfficially, SendPress, UnknownAddressee, WriteDiary
from judge.language.options import Options
from judge.language.requests import Line, PressText

TEXTS: dict[str, Callable[[str], Command]] = {
    "official": SayOfficially,
    "statement": MakeStatement,
    "diary": WriteDiary,
}
"""Commands that take a text of several lines and nothing else."""


def read_text(options: Options, entry: PressText) -> Command:
    """The command of a block of text: a message, an official word, a note, last words.  Raises `UnknownAddressee`."""
    if entry.command in TEXTS:
        return TEXTS[entry.command](entry.text)
    names, _, begun = entry.rest.partition(":")  # the message may begin on the opening line and go on below
    return read_message(options, entry.command, names, f"{begun.strip()}\n{entry.text}".strip("\n"))


def read_press_line(options: Options, line: Line) -> Command:
    """A message on one line: ``PRESS TO FRANCE: see you in Burgundy``."""
    names, found, text = line.rest.partition(":")
    if line.command in ("broadcast", *TEXTS) and not found:
        names, text = "", line.rest
    if not text.strip():
        raise CommandIncomplete(line.command if line.command in ("broadcast", *TEXTS) else "press")
    if line.command in TEXTS:
        return TEXTS[line.command](line.rest.strip())
    return read_message(options, line.command, names, text.strip())


def read_message(options: Options, command: str, listed: str, text: str) -> SendPress:
    """A message with the options of its opening line: colour, fake, postal, addressees.  Raises `UnknownAddressee`."""
    names = [part for part in re.split(r"[\s,;+&]+", listed.strip(" :")) if part]
    colour, fake, postal = "", "", command == "postal"
    left: list[str] = []
    index = 0
    while index < len(names):
        name = names[index]
        if options.words.means(name, "white") or options.words.means(name, "grey"):
            colour = "white" if options.words.means(name, "white") else "grey"
        elif options.words.means(name, "postal"):
            postal = True
        elif options.words.means(name, "fake"):
            index += 1 + (index + 1 < len(names) and options.words.means(names[index + 1], "from"))
            found = options.powers.find(names[index]) if index < len(names) else None
            if found is None:
                raise UnknownAddressee(" ".join(names[index : index + 1]), options.powers.powers)
            fake = found
        else:
            left.append(name)
        index += 1
    if command == "broadcast" and left and options.words.means(left[0], "but"):
        spared = options.power_list(" ".join(left[1:]))
        return SendPress(tuple(each for each in options.powers.powers if each not in spared), text, colour, fake, postal)
    to = () if command == "broadcast" and not left else options.addressees(" ".join(left))
    return SendPress(to, text, colour, fake, postal)
