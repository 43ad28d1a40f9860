-- Says, in the transaction that changes who may browse what, that it does: once for each. By chance as well, so that a
-- database which is restored under a running process does not come by a mark that it had.
CREATE FUNCTION archivolt_mark_acl_change() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  step bigint := 1 + floor(random() * 1000000)::bigint;
BEGIN
  IF current_setting('archivolt.acl_marked', true) = pg_current_xact_id()::text THEN
    RETURN NULL;
  END IF;
  UPDATE acl_changes SET mark = mark + step
  WHERE id = (SELECT c.id FROM acl_changes c ORDER BY c.id LIMIT 1 FOR UPDATE SKIP LOCKED);
  IF NOT FOUND THEN
    INSERT INTO acl_changes (mark) VALUES (step);
  END IF;
  PERFORM set_config('archivolt.acl_marked', pg_current_xact_id()::text, true);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER acl_scopes_marked AFTER INSERT OR UPDATE OF id, acl_id, is_split OR TRUNCATE ON acl_scopes
FOR EACH STATEMENT EXECUTE FUNCTION archivolt_mark_acl_change();
--> statement-breakpoint
-- For each row: the removal of any document looks for its scope, and most have none.
CREATE TRIGGER acl_scopes_removed AFTER DELETE ON acl_scopes
FOR EACH ROW EXECUTE FUNCTION archivolt_mark_acl_change();
--> statement-breakpoint
-- A new ACL grants nothing until a scope points to it.
CREATE TRIGGER acls_marked AFTER UPDATE OR DELETE OR TRUNCATE ON acls
FOR EACH STATEMENT EXECUTE FUNCTION archivolt_mark_acl_change();
--> statement-breakpoint
CREATE FUNCTION archivolt_acl_mark() RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT coalesce(sum(c.mark), 0)::text FROM acl_changes c);
END
$$;
--> statement-breakpoint
-- As archivolt_readable_scopes(identities), which somebody has asked before: `known` is the answer that was given at
-- `mark`, and which no date of an entry changes from `since` until `until`. Asked anew when it no longer holds in
-- the snapshot of the statement.
CREATE FUNCTION archivolt_readable_scopes(identities text[], known text, mark text, since timestamptz, until timestamptz)
RETURNS integer[]
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF now() >= since AND now() < until AND mark = archivolt_acl_mark() THEN
    RETURN known::integer[];
  END IF;
  RETURN archivolt_readable_scopes(identities);
END
$$;
--> statement-breakpoint
-- When the next entry with dates begins or ends to count.
CREATE FUNCTION archivolt_next_ace_date() RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(min(date.moment), 'infinity')
  FROM acls a, jsonb_array_elements(a.entries) AS ace(entry),
    LATERAL (VALUES ((entry ->> 'begin')::timestamptz), ((entry ->> 'end')::timestamptz)) AS date(moment)
  WHERE NOT a.is_plain AND date.moment > now()
$$;
