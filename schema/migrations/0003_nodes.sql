CREATE TABLE "login_tries" (
	"client" text PRIMARY KEY NOT NULL,
	"tries" integer NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL
);

CREATE TABLE "open_runs" (
	"run_id" text PRIMARY KEY NOT NULL,
	"principal" text NOT NULL,
	"begun_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE "change_marks" (
	"kind" text PRIMARY KEY NOT NULL,
	"transaction_id" text NOT NULL
);

CREATE INDEX "login_tries_last" ON "login_tries" USING btree ("last_at");
CREATE INDEX "open_runs_principal" ON "open_runs" USING btree ("principal");

-- Processes look for changes of what they remember by the mark of its kind, beside the notifications that may be lost.
-- Written when a transaction ends, so that those who change users at once wait for no more than each other's commit.
CREATE FUNCTION archivolt_mark_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE change_marks SET transaction_id = pg_current_xact_id()::text
  WHERE kind = TG_ARGV[0] AND transaction_id <> pg_current_xact_id()::text;
  RETURN NULL;
END
$$;

INSERT INTO change_marks (kind, transaction_id) VALUES ('identities', '0'), ('directories', '0');

CREATE CONSTRAINT TRIGGER users_marked AFTER INSERT OR UPDATE OR DELETE ON users
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION archivolt_mark_change('identities');

CREATE CONSTRAINT TRIGGER groups_marked AFTER INSERT OR UPDATE OR DELETE ON groups
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION archivolt_mark_change('identities');

CREATE CONSTRAINT TRIGGER group_members_marked AFTER INSERT OR UPDATE OR DELETE ON group_members
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION archivolt_mark_change('identities');

CREATE CONSTRAINT TRIGGER directory_entries_marked AFTER INSERT OR UPDATE OR DELETE ON directory_entries
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION archivolt_mark_change('directories');

-- One call for each run: the lock keeps two processes from counting at once, and nothing waits for the disk, as what a
-- crash loses here is found again in Temporal's list.
CREATE FUNCTION archivolt_enter_run(who text, run text, most integer) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock(hashtextextended('open_runs ' || who, 0));
  IF (SELECT count(*) FROM open_runs WHERE principal = who AND run_id <> run) >= most THEN
    RETURN 'full';
  END IF;
  INSERT INTO open_runs (run_id, principal) VALUES (run, who) ON CONFLICT (run_id) DO NOTHING;
  RETURN CASE WHEN FOUND THEN 'entered' ELSE 'known' END;
END
$$;
