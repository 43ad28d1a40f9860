CREATE INDEX "document_acls_begins" ON "document_acls" USING btree ("begins_at") WHERE begins_at is not null;
CREATE INDEX "document_acls_ends" ON "document_acls" USING btree ("ends_at") WHERE ends_at is not null;

-- Whom an entry may grant it is known of an ACL that is not plain, too, so that the entries are looked at for them alone.
UPDATE acls SET browsers = coalesce((
  SELECT array_agg(DISTINCT entry ->> 'username') FROM jsonb_array_elements(entries) AS ace(entry)
  WHERE (entry ->> 'browse')::boolean AND (entry ->> 'granted')::boolean), '{""}')
WHERE NOT is_plain;

-- As before, but for: the entries of an ACL that is not plain are looked at for those alone whom one may grant it, and
-- while it is in force somewhere. Processes of release 0.1.0 write none of these names.
CREATE OR REPLACE FUNCTION archivolt_readable_scopes(identities text[]) RETURNS integer[]
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN ARRAY(
    SELECT s.id FROM acl_scopes s WHERE s.acl_id = ANY (ARRAY(
      SELECT a.id FROM acls a WHERE a.is_plain AND a.browsers && identities
      UNION ALL
      SELECT a.id FROM acls a WHERE NOT a.is_plain AND (a.browsers && identities OR a.browsers = '{}')
        AND CASE WHEN EXISTS (SELECT FROM acl_scopes u WHERE u.acl_id = a.id)
          THEN archivolt_may_browse(a.entries, identities) ELSE false END))
  ) || archivolt_undecided_scopes();
END
$$;

-- When the next entry with dates begins or ends to count: by the entries as they are set, and not as often as they are
-- inherited. The entries of effective ACLs have milliseconds.
CREATE OR REPLACE FUNCTION archivolt_next_ace_date() RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(date_trunc('milliseconds', least(
    (SELECT min(e.begins_at) FROM document_acls e WHERE e.begins_at > now()),
    (SELECT min(e.ends_at) FROM document_acls e WHERE e.ends_at > now()))), 'infinity')
$$;
