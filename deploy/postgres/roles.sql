-- Run once as the superuser:  psql -v ON_ERROR_STOP=1 -f roles.sql
-- Two roles: one that writes (every `judge run`), one that only reads (reports, an archive on another machine).  The reader sees
-- everything but the key of the secret addresses (table "site"), addresses of players and letters that wait too: keep its password safe.
-- Give them passwords with \password, or let them in by pg_hba.conf; judge.toml then says
--   database = "postgresql://judge@/judge"        (on the same machine, by the socket and "peer")

CREATE ROLE judge LOGIN;
CREATE ROLE judge_reader LOGIN;

CREATE DATABASE judge OWNER judge ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE judge FROM PUBLIC;
GRANT CONNECT ON DATABASE judge TO judge_reader;

\connect judge

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT ALL ON SCHEMA public TO judge;
GRANT USAGE ON SCHEMA public TO judge_reader;
-- Tables that the judge makes later (`judge db upgrade`) are readable too.
ALTER DEFAULT PRIVILEGES FOR ROLE judge IN SCHEMA public GRANT SELECT ON TABLES TO judge_reader;

-- No deadline waits for a lock for ever, and a dead connection gives back what it held.
ALTER ROLE judge SET lock_timeout = '30s';
ALTER ROLE judge SET idle_in_transaction_session_timeout = '60s';
ALTER ROLE judge_reader SET default_transaction_read_only = on;
