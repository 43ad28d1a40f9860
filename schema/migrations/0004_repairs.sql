CREATE TABLE "repairs" (
	"name" text PRIMARY KEY NOT NULL,
	"done_at" timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE "open_runs" ADD COLUMN "kind" text DEFAULT 'run' NOT NULL;
ALTER TABLE "run_keys" ADD COLUMN "unbound_until" timestamp with time zone;
CREATE INDEX "login_tries_next" ON "login_tries" USING btree ("next_at");

-- As before, for each kind apart. The one before it was in no release.
DROP FUNCTION archivolt_enter_run(text, text, integer);
CREATE FUNCTION archivolt_enter_run(who text, run text, most integer, sort text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock(hashtextextended('open_runs ' || sort || ' ' || who, 0));
  IF (SELECT count(*) FROM open_runs WHERE principal = who AND kind = sort AND run_id <> run) >= most THEN
    RETURN 'full';
  END IF;
  INSERT INTO open_runs (run_id, principal, kind) VALUES (run, who, sort) ON CONFLICT (run_id) DO NOTHING;
  RETURN CASE WHEN FOUND THEN 'entered' ELSE 'known' END;
END
$$;

-- What this installation has signed so far goes on, with a minute for the clocks of database and Temporal to differ.
UPDATE run_keys SET unbound_until = now() + interval '1 minute';
