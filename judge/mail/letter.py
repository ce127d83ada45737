"""A mail to be sent, before MIME: values that can be kept as JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from typing import Any, Literal, TypeAlias, cast

AutoSubmitted: TypeAlias = Literal["auto-generated", "auto-replied"]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A small text attached to a letter, such as the deadline as an .ics file; `kind` is its media type."""

    name: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail to one reader, as data.

    `message_id` is `local@host` without angle brackets, made from the outbox key; `envelope_from` the VERP
    address, "" for the null return path; `picture` the content key of a picture that is fetched at sending.
    Nothing here needs to be clean: `compose` lets no value break out of its header.
    """

    message_id: str
    envelope_from: str
    to: str
    to_name: str
    from_address: str
    from_name: str
    subject: str
    text: str
    date: datetime
    html: str | None = None
    reply_to: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    list_id: str = ""
    list_name: str = ""
    list_unsubscribe: str = ""
    auto_submitted: AutoSubmitted = "auto-generated"
    attachments: tuple[Attachment, ...] = ()
    picture: str | None = None
    picture_alt: str = ""
    headers: tuple[tuple[str, str], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """This letter as plain JSON values; `from_dict` is the way back."""
        plain: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self)}
        plain["date"] = self.date.isoformat()
        plain["attachments"] = [asdict(attachment) for attachment in self.attachments]
        return plain

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> "Letter":
        """A letter from `to_dict`, also through JSON (lists for tuples); fields of a newer judge are ignored."""
        known = {f.name for f in fields(cls)}
        values = {key: value for key, value in plain.items() if key in known}
        values["date"] = datetime.fromisoformat(values["date"])
        values["references"] = tuple(values.get("references", ()))
        values["attachments"] = tuple(Attachment(**cast(dict[str, str], a)) for a in values.get("attachments", ()))
        values["headers"] = tuple((name, value) for name, value in values.get("headers", ()))
        return cls(**values)

    def with_picture(self, key: str) -> "Letter":
        """The same letter with its picture slot filled."""
        return replace(self, picture=key)
