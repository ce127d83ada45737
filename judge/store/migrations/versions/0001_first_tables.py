"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Forwards; there is no way back but a backup."""
    op.create_table(
        "code",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("taken_at", sa.BigInteger(), nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("code", name=op.f("code_pkey")),
    )
    op.create_index("code_address", "code", ["address", "created_at"], unique=False)
    op.create_index("code_until", "code", ["until"], unique=False)
    op.create_table(
        "game",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("free", sa.Integer(), nullable=False),
        sa.Column("powers", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("deadline_at", sa.BigInteger(), nullable=True),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("remind_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("archived_at", sa.BigInteger(), nullable=True),
        sa.Column("data", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("game_pkey")),
    )
    op.create_index(
        "game_due",
        "game",
        ["due_at", "id"],
        unique=False,
        sqlite_where=sa.text("due_at IS NOT NULL"),
        postgresql_where=sa.text("due_at IS NOT NULL"),
    )
    op.create_index(
        "game_list",
        "game",
        ["status", "name"],
        unique=False,
        sqlite_where=sa.text("archived_at IS NULL"),
        postgresql_where=sa.text("archived_at IS NULL"),
    )
    op.create_index(
        "game_name_open",
        "game",
        ["name"],
        unique=True,
        sqlite_where=sa.text("archived_at IS NULL"),
        postgresql_where=sa.text("archived_at IS NULL"),
    )
    op.create_index(
        "game_remind",
        "game",
        ["remind_at", "id"],
        unique=False,
        sqlite_where=sa.text("remind_at IS NOT NULL"),
        postgresql_where=sa.text("remind_at IS NOT NULL"),
    )
    op.create_table(
        "inbox",
        sa.Column("number", ID, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("source_key", sa.Text(), nullable=True),
        sa.Column("lane", sa.Text(), nullable=False),
        sa.Column("known", sa.Boolean(), nullable=False),
        sa.Column("arrived_at", sa.BigInteger(), nullable=False),
        sa.Column("envelope_from", sa.Text(), nullable=True),
        sa.Column("envelope_to", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("free_at", sa.BigInteger(), nullable=False),
        sa.Column("claimed_by", sa.Text(), nullable=True),
        sa.Column("digest", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("inbox_pkey")),
        sa.UniqueConstraint("digest", name=op.f("inbox_digest_key")),
        sa.UniqueConstraint("source_key", name=op.f("inbox_source_key_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "inbox_finished",
        "inbox",
        ["finished_at"],
        unique=False,
        sqlite_where=sa.text("raw IS NOT NULL"),
        postgresql_where=sa.text("raw IS NOT NULL"),
    )
    op.create_index("inbox_lane_arrival", "inbox", ["lane", "arrived_at"], unique=False)
    op.create_index(
        "inbox_open_arrival",
        "inbox",
        ["arrived_at", "number"],
        unique=False,
        sqlite_where=sa.text("finished_at IS NULL"),
        postgresql_where=sa.text("finished_at IS NULL"),
    )
    op.create_index(
        "inbox_open_known",
        "inbox",
        ["known", "arrived_at"],
        unique=False,
        sqlite_where=sa.text("finished_at IS NULL"),
        postgresql_where=sa.text("finished_at IS NULL"),
    )
    op.create_index(
        "inbox_open_lane",
        "inbox",
        ["lane", "arrived_at", "number"],
        unique=False,
        sqlite_where=sa.text("finished_at IS NULL"),
        postgresql_where=sa.text("finished_at IS NULL"),
    )
    op.create_table(
        "mark",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("mark_pkey")),
    )
    op.create_table(
        "outbox",
        sa.Column("number", ID, nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.SmallInteger(), nullable=False),
        sa.Column("game", ID, nullable=True),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("return_path", sa.Text(), nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("next_try", sa.BigInteger(), nullable=False),
        sa.Column("claimed_by", sa.Text(), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("added_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("letter", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("outbox_pkey")),
        sa.UniqueConstraint("message_id", name=op.f("outbox_message_id_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "outbox_finished",
        "outbox",
        ["finished_at"],
        unique=False,
        sqlite_where=sa.text("letter IS NOT NULL"),
        postgresql_where=sa.text("letter IS NOT NULL"),
    )
    op.create_index("outbox_game", "outbox", ["game", "number"], unique=False)
    op.create_index(
        "outbox_open",
        "outbox",
        ["kind", "number"],
        unique=False,
        sqlite_where=sa.text("finished_at IS NULL"),
        postgresql_where=sa.text("finished_at IS NULL"),
    )
    op.create_index("outbox_return_path", "outbox", ["return_path"], unique=False)
    op.create_table(
        "person",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("wishes", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("person_pkey")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "tally",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("key", "since", name=op.f("tally_pkey")),
    )
    op.create_index("tally_since", "tally", ["since"], unique=False)
    op.create_table(
        "variant",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("variant_pkey")),
    )
    op.create_table(
        "address",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("person", ID, nullable=False),
        sa.Column("current", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("bounces", sa.Integer(), nullable=False),
        sa.Column("bounced_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("address_person_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("key", name=op.f("address_pkey")),
    )
    op.create_index("address_person", "address", ["person"], unique=False)
    op.create_table(
        "event",
        sa.Column("number", ID, nullable=False),
        sa.Column("game", ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("event_game_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("number", name=op.f("event_pkey")),
        sqlite_autoincrement=True,
    )
    op.create_index("event_game", "event", ["game", "number"], unique=False)
    op.create_table(
        "press",
        sa.Column("game", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("press_game_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "number", name=op.f("press_pkey")),
    )
    op.create_table(
        "record",
        sa.Column("person", ID, nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("record_person_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person", "what", name=op.f("record_pkey")),
    )
    op.create_table(
        "seat",
        sa.Column("game", ID, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("person", ID, nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("seat_game_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "key", name=op.f("seat_pkey")),
    )
    op.create_index("seat_person", "seat", ["person"], unique=False)
    op.create_table(
        "submission",
        sa.Column("number", ID, nullable=False),
        sa.Column("game", ID, nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("power", sa.Text(), nullable=False),
        sa.Column("mail", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("submission_game_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("number", name=op.f("submission_pkey")),
        sqlite_autoincrement=True,
    )
    op.create_index("submission_game", "submission", ["game", "phase", "number"], unique=False)
    op.create_table(
        "turn",
        sa.Column("game", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=False),
        sa.Column("withdrawn_at", sa.BigInteger(), nullable=True),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name=op.f("turn_game_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "number", name=op.f("turn_pkey")),
    )
    op.create_index(
        "turn_phase",
        "turn",
        ["game", "phase"],
        unique=True,
        sqlite_where=sa.text("withdrawn_at IS NULL"),
        postgresql_where=sa.text("withdrawn_at IS NULL"),
    )
