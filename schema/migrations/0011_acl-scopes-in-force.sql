-- The deepest scope whose path is the given one or an ancestor of it: what decides, whatever a document
-- remembers (docs/security.md).
CREATE FUNCTION archivolt_scope_of(place text) RETURNS integer
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  parts text[] := string_to_array(place, '/');
BEGIN
  RETURN (
    SELECT s.id FROM acl_scopes s
    WHERE s.path = ANY (
      ARRAY['/'] || ARRAY(SELECT array_to_string(parts[1:n], '/') FROM generate_series(2, cardinality(parts)) AS n))
    ORDER BY s.path DESC
    LIMIT 1
  );
END
$$;
--> statement-breakpoint
-- The effective ACL in force at a path, or on the live document of a series of versions.
CREATE FUNCTION archivolt_acl_of(place text, series uuid) RETURNS integer
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (
    SELECT s.acl_id FROM acl_scopes s
    WHERE s.id = archivolt_scope_of(coalesce(place, (SELECT l.path FROM documents l WHERE l.id = series)))
  );
END
$$;
--> statement-breakpoint
-- The effective ACL in force on a document, read like a column: d.acl_id. Null for versions whose live document
-- is gone.
CREATE FUNCTION acl_id(d documents) RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN s.is_split THEN archivolt_acl_of(d.path, d.version_series_id) ELSE s.acl_id END
  FROM acl_scopes s WHERE s.id = d.scope_id
$$;
--> statement-breakpoint
-- As archivolt_may_browse, on versions, where ReadVersion counts as Read (security.md §7).
CREATE FUNCTION archivolt_may_browse_version(entries jsonb, identities text[]) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce((
    SELECT (entry ->> 'granted')::boolean
    FROM jsonb_array_elements(entries) WITH ORDINALITY AS ace(entry, rank)
    WHERE ((entry ->> 'browse')::boolean OR entry ->> 'permission' = 'ReadVersion')
      AND entry ->> 'username' = ANY (identities)
      AND coalesce((entry ->> 'begin')::timestamptz <= now(), true)
      AND coalesce((entry ->> 'end')::timestamptz > now(), true)
    ORDER BY rank
    LIMIT 1
  ), false)
$$;
--> statement-breakpoint
UPDATE acls SET reads_versions = true WHERE entries @> '[{"permission": "ReadVersion"}]';
--> statement-breakpoint
-- What documents remembered so far, an effective ACL, becomes a scope without a place: its documents are found by
-- their paths until they point to the scopes of the holders below, which the upkeep of access rights sees to.
INSERT INTO acl_scopes (id, acl_id, is_split) SELECT id, id, true FROM acls;
--> statement-breakpoint
SELECT setval(pg_get_serial_sequence('acl_scopes', 'id'), coalesce(max(id), 0) + 1, false) FROM acl_scopes;
--> statement-breakpoint
INSERT INTO acl_scopes (document_id, path, acl_id, is_pending)
SELECT d.id, d.path, d.scope_id, true FROM documents d
WHERE d.path IS NOT NULL
  AND (d.path = '/' OR d.id IN (SELECT a.document_id FROM document_acls a));
--> statement-breakpoint
-- 0 pending, 1 effective, 2 archived; null for an entry without dates (security.md §7).
CREATE FUNCTION archivolt_ace_status(begins timestamptz, ends timestamptz, moment timestamptz) RETURNS smallint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN begins IS NULL AND ends IS NULL THEN NULL
              WHEN ends <= moment THEN 2 WHEN begins > moment THEN 0 ELSE 1 END::smallint
$$;
