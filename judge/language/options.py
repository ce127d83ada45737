"""What stands behind a command's word: names of powers, reasons, phases, yes and no."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from judge.board import Power
from judge.game import FLAGS, SPANS, CommandIncomplete, UnknownAddressee, UnknownPower, setting_takes, usual_setting
from judge.game.faults import UnknownPhase
from judge.language.commandwords import CommandWords
from judge.language.powerindex import PowerIndex
from judge.rules import Phase


@dataclass(frozen=True, slots=True)
class Options:
    """What reading the rest of a command line needs: the words of all languages, and the powers of the game (none outside a game)."""

    words: CommandWords
    powers: PowerIndex
    game: str = ""
    """The name of the game that is meant, "" outside games."""

    def behind(self, text: str) -> str:
        """What stands behind a command that takes nothing, without the game's name and words that only fill the line; "" for nothing."""
        words = text.strip(" \t:.,;!?").split()
        kept = [word for word in words if (bare := word.strip(".,:;!?")).lower() != self.game and not self.words.means(bare, "games")]
        rest = " ".join(kept)
        return "" if self.words.courtesies.means_nothing(rest) else rest

    def addressees(self, text: str) -> tuple[str, ...]:
        """Whom a list of names means; () is everybody.  "all but X" leaves some out, "master" is the game's master."""
        names = [part for part in re.split(r"[\s,;+&]+", text.strip(" :")) if part]
        if names and self.words.means(names[0], "to"):
            names = names[1:]
        names = self._without_and(names)
        if not names:
            return ()
        everybody = self.words.means(names[0], "all") or names[0].startswith("-")
        if everybody:
            rest = names[1:] if self.words.means(names[0], "all") else names
            names = [n.lstrip("-") for n in rest if not self.words.means(n, "but")]
        found = tuple(dict.fromkeys(key for name in names for key in self._addressee(name)))
        if not everybody:
            return found
        return tuple(power for power in self.powers.powers if power not in found) if found else ()

    def _without_and(self, names: list[str]) -> list[str]:
        """The names of a list without "and"; a single letter (Czech "a") is that between names only, else an initial."""
        return [name for at, name in enumerate(names) if not (self.words.means(name, "and") and (len(name) > 1 or _between(names, at)))]

    def _addressee(self, name: str) -> tuple[str, ...]:
        """One name; several initials in capitals (``EFG``) are several powers."""
        power = self.powers.find(name)
        if power is not None:
            return (power,)
        if self.words.means(name, "master"):
            return ("MASTER",)
        if self.words.means(name, "observers"):
            return ("OBSERVERS",)
        initials = [self._initial(letter) for letter in name]
        if name.isupper() and len(name) > 1 and all(initials):
            return tuple(key for key in initials if key)
        raise UnknownAddressee(name, self.powers.powers)

    def _initial(self, letter: str) -> str | None:
        """What one letter of a list of initials means: a power, M the master, O those who watch."""
        return self.powers.find(letter) or {"M": "MASTER", "O": "OBSERVERS"}.get(letter)

    def power_list(self, text: str) -> tuple[Power, ...]:
        """Several powers; raises `UnknownPower` for anything else."""
        names = [part for part in re.split(r"[\s,;+&]+", text.strip(" :")) if part]
        names = self._without_and([name for name in names if self.powers.find(name) is not None or not self._joins(name)])
        found: list[Power] = []
        for name in names:
            power = self.powers.find(name)
            initials = [self.powers.find(letter) for letter in name] if name.isupper() else []
            if power is not None:
                found.append(power)
            elif len(initials) > 1 and all(initials):
                found.extend(each for each in initials if each)
            else:
                raise UnknownPower(name, self.powers.powers)
        return tuple(dict.fromkeys(found))

    def _joins(self, word: str) -> bool:
        """Whether a word only leads to the names behind it ("to", "with")."""
        return self.words.means(word, "to") or self.words.means(word, "with")

    def one_power(self, text: str, command: str) -> Power:
        """One power.  Raises `UnknownPower`, `CommandIncomplete`."""
        found = self.power_list(text)
        if len(found) != 1:
            raise CommandIncomplete(command)
        return found[0]

    def wishes(self, text: str) -> tuple[tuple[Power, ...], ...]:
        """A preference list: ``E[FG]A`` or ``England, [France Germany], Austria``; brackets hold what is as welcome.

        Raises `UnknownPower`.
        """
        groups: list[tuple[Power, ...]] = []
        for inside, alone in re.findall(r"\[([^\]]*)\]|([^\[\]]+)", text):
            if inside:
                groups.append(self.power_list(inside))
            else:
                groups.extend((power,) for power in self.power_list(alone.replace("*", " ")))
        return tuple(group for group in groups if group)

    def reason(self, text: str) -> tuple[str, str]:
        """A text, and the reason that stands behind "because" or "because of" in it ("" none)."""
        words = [word for word in text.split() if not self.words.means(word.strip(".,!"), "please")]
        cut = next((i for i, word in enumerate(words) if self.words.means(word.rstrip(":"), "because")), len(words))
        return " ".join(words[:cut]), " ".join(words[cut + 1 :]).removeprefix("of ")

    def yes_or_no(self, text: str) -> str:
        """A yes or no of any language as "yes" or "no"; anything else as it is."""
        return "yes" if self.words.means(text, "yes") else "no" if self.words.means(text, "no") else text

    def plain_value(self, key: str, text: str) -> str:
        """The value of a setting, with yes and no of any language understood where the setting takes them, and spans in words."""
        usual = usual_setting(key, "")[0]
        if usual in FLAGS:
            return self.yes_or_no(text)
        plain = self.words.plain_spans(text) if usual in SPANS else text
        return plain if setting_takes(usual, plain) and not setting_takes(usual, text) else text

    def phase(self, text: str) -> Phase | None:
        """A phase by its tag or in words, or None for an empty text.  Raises `UnknownPhase`."""
        if not text.strip(" :.,"):
            return None
        found = self.words.phases.read(text)
        if found is None:
            raise UnknownPhase(text)
        return found


def _between(names: Sequence[str], at: int) -> bool:
    """Whether a word stands between two names that are written out."""
    return 0 < at < len(names) - 1 and len(names[at - 1]) > 1 and len(names[at + 1]) > 1
