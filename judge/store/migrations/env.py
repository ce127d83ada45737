"""Run by Alembic: does the steps on the connection that `migrate` hands over."""

from alembic import context

from judge.store.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=connection.dialect.name == "sqlite")
context.run_migrations()
