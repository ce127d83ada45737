"""What makes an installation itself: its name and key, which lay in the spool before."""

import sqlalchemy as sa
from alembic import op

from judge.store.site import keep_from_readers

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forwards; the key is put in at the next start, out of the file in the spool."""
    op.create_table(
        "site",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("site_pkey")),
    )
    keep_from_readers(op.get_bind())
