"""Commands that name settings: opening a game, and SET."""

from judge.game import (
    OWN_SETTINGS,
    SETTINGS,
    SPANS,
    BadMoment,
    Command,
    CommandIncomplete,
    CreateGame,
    SetGrace,
    SetSetting,
    SetWish,
    setting_takes,
    usual_setting,
)
from judge.language.folding import fold
from judge.language.moments import read_when
from judge.language.options import Options
from judge.language.requests import Line


def read_create(options: Options, line: Line) -> Command:
    """``CREATE danube [VARIANT standard] [setting value ...] [flags]``; values hold no spaces, save the title, which comes last.

    A word that is no setting may be the name of a variant, or the password that the old judges wanted; what it is, is settled where the
    variants are known (`CreateGame.words`).
    """
    parts = line.rest.split()
    if not parts:
        raise CommandIncomplete("create")
    chosen: list[tuple[str, str]] = []
    words: list[str] = []
    variant = "standard"
    rest = parts[1:]
    while rest:
        key, found, value = rest[0].strip(":,").partition("=")
        key, taken = key.lower(), 1
        if not found and len(rest) > 1:
            value, taken = rest[1].strip(","), 2
        name = options.words.settings.get(fold(key)) or key
        if taken > 1 and usual_setting(name, "")[0] in SPANS:
            value, taken = _value(options, [word.strip(",") for word in rest[1:]])
        value = options.plain_value(name, value)
        usual, own = usual_setting(name, "")
        if name == "title":
            chosen.append((name, " ".join([value, *rest[2:]] if not found else [value, *rest[1:]])))
            break
        if name == "variant":
            variant = value.lower()
        elif usual in SETTINGS and own and (taken == 1 or not setting_takes(name, value)):
            chosen.append((usual, own))
            taken = 1
        elif usual in SETTINGS and value:
            chosen.append((usual, value))
        elif usual in SETTINGS:
            raise CommandIncomplete("create")
        else:
            if words or not parts[0].startswith("?") or len(rest) < len(parts) - 1:
                words.append(rest[0].strip(":,"))
            taken = 1  # behind ?name the old judges want a password, which means nothing here
        rest = rest[taken:]
    return CreateGame(parts[0].lstrip("?"), variant, tuple(chosen), tuple(words))


def _value(options: Options, words: list[str]) -> tuple[str, int]:
    """The value that the words behind a setting's name begin with, and how many words name and value are: ``2 days`` are two."""
    value = " ".join(words[:2])
    is_span = len(words) > 1 and words[0].isdigit() and " " not in options.words.plain_spans(value)
    # "movement 48 days mon-fri" is 48 hours, and the days.
    if not is_span or (len(words) > 2 and words[1].lower() in SETTINGS and setting_takes(words[1].lower(), words[2])):
        return words[0], 2
    return value, 3


_OLD_WISHES = {"timezone": "zone", "map": "pictures", "maps": "pictures"}
"""Names that other judges have for wishes."""


def read_set(options: Options, line: Line) -> Command:
    """``SET key value``: a wish of one's own, or a setting of the game; ``SET GAME ZONE ...`` is the game's where both have one."""
    key, _, value = line.rest.replace("=", " ").strip().partition(" ")
    if not key:
        raise CommandIncomplete("set")
    of_game = options.words.means(key, "games") and bool(value.strip())
    if of_game:
        key, _, value = value.strip().partition(" ")
    key, value = _joined(options, key, value.strip())
    own = options.words.settings.get(fold(key)) or _OLD_WISHES.get(key.lower())
    if not of_game and (own in OWN_SETTINGS or options.words.means(key, "wishes")):
        if not value.strip():
            raise CommandIncomplete("set")
        wish = own or key.lower()
        return SetWish(wish, options.yes_or_no(value.strip()) if wish in ("pictures", "digest") else value.strip())
    name, text = usual_setting(own or key, options.plain_value(own or key, value.strip()))
    if not text:
        raise CommandIncomplete("set")
    return (_grace_for_once(options, text) if name == "grace" else None) or SetSetting(name, text)


def _grace_for_once(options: Options, text: str) -> SetGrace | None:
    """``SET GRACE Sun 20:00 because ...``: the end of grace in the open phase, where a moment stands instead of a span."""
    if setting_takes("grace", text):
        return None
    moment, reason = options.reason(text)
    try:
        return SetGrace(read_when(moment, options.words), reason)
    except BadMoment:
        return None


def _joined(options: Options, key: str, value: str) -> tuple[str, str]:
    """A setting and its value where the name is of several words: ``NO REVEAL``, ``MAY BE FAKED``, ``GRACE PRESS``, ``časové pásmo``."""
    words = value.split()
    for count in range(min(2, len(words)), 0, -1):
        rest = " ".join(words[count:])
        own = options.words.settings.get(fold(" ".join((key, *words[:count]))))
        if own is not None:
            return own, rest
        joined, text = usual_setting("".join((key, *words[:count])), rest)
        alone = usual_setting(key, value)
        if joined in SETTINGS and (text or alone[0] not in SETTINGS) and not (alone[0] in SETTINGS and setting_takes(*alone)):
            return joined, text
    return key, value
