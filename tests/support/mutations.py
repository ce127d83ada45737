"""Sample mails with a few bytes, tokens, lines or whole stretches changed, the same for the same dice; and what must hold of each."""

import random
from base64 import b64encode
from datetime import UTC, datetime
from pathlib import Path

from judge.mail import Letter, Message, compose

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
MAILS = Path(__file__).parent.parent / "mails"

TOKENS = [
    b'=?utf-8?Q?', b'?=', b'\x00', b'\xff', b'\xc3', b'\r', b'\n\n', b'--', b'>', b'<', b'"', b'(', b'\\', b';', b'=',
    b'charset=', b'utf-7', b'koi8-r', b'idna', b'boundary=', b'Content-Type: multipart/mixed; boundary=x\r\n',
    b'Content-Transfer-Encoding: base64\r\n', b"filename*0*=utf-8''%", b'=0D=0A', b'From: ', b'Received: by mx.example.org; ',
    b'Authentication-Results: mx.example.org; dmarc=pass', b'\r\n ', b'\xef\xbb\xbf', b'{{ 7*7 }}', b'\xe2\x80\xa8',
    b'-----BEGIN PGP SIGNED MESSAGE-----\r\n', b'begin 644 x\r\n', b'On 1 Jan 2026 wrote:', b'<!--', b'<style>', b'<blockquote>',
    b'format=flowed', b'-- \r\n',
]  # fmt: skip
ORIGINALS = [path.read_bytes() for path in sorted(MAILS.rglob("*.eml"))]


def mutated(dice: random.Random) -> bytes:
    """One of the sample mails with a few bytes, tokens, lines or whole stretches changed."""
    raw = bytearray(dice.choice(ORIGINALS))
    for _ in range(dice.randint(1, 8)):
        at = dice.randrange(len(raw) + 1)
        match dice.randrange(7):
            case 0:
                raw[at : at + 1] = bytes([dice.randrange(256)])
            case 1:
                raw[at:at] = dice.choice(TOKENS)
            case 2:
                del raw[at : at + dice.randint(1, 40)]
            case 3:
                stretch = raw[at : at + dice.randint(1, 200)]
                where = dice.randrange(len(raw) + 1)
                raw[where:where] = stretch * dice.randint(1, 5)
            case 4:
                other = dice.choice(ORIGINALS)
                begin = dice.randrange(len(other))
                raw[at:at] = other[begin : begin + dice.randint(1, 300)]
            case 5:
                old, new = dice.sample([b"\r\n", b"\n", b": ", b"=", b"utf-8", b"text/plain", b"text/html", b"base64"], 2)
                raw = raw.replace(old, new)
            case _:
                body = bytes(raw[at : at + 300])
                raw[at : at + 300] = b64encode(body)
    return bytes(raw)


def check(message: Message) -> None:
    """What every message promises: one-line fields, no NUL, bounded sizes, and that a letter can answer it."""
    names = [one.name for one in (*message.reply_to, *message.to, *message.cc)] + ([message.from_.name] if message.from_ else [])
    for field in [message.subject, message.message_id, *names, *message.references, *message.in_reply_to]:
        assert all(char.isprintable() or char.isspace() or ord(char) > 0x9F for char in field)
        assert not set(field) & set("\r\n\x00\x0b\x0c\x85\u2028\u2029")
    for typed in message.texts:
        assert "\x00" not in typed.text
        assert "\r" not in typed.text
        assert len(typed.text) <= 600_000
    typed_text = "\n".join(typed.text for typed in message.texts)
    typed_text.encode("utf-8")
    raw = compose(
        Letter(
            message_id="danube.S1901M.ITALY.start@example.org", envelope_from="", to="ivo@example.com", from_address="judge@example.org",
            from_name="judge", date=NOON, to_name=message.from_.name if message.from_ else "", subject=f"Re: {message.subject}",
            text=message.text, in_reply_to=message.message_id, references=(*message.references, message.message_id)[:-1],
        )
    )  # fmt: skip
    assert raw.partition(b"\r\n\r\n")[0].lower().count(b"\nto:") == 1
