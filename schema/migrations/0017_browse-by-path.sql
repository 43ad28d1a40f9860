-- Whether one may browse a document by the scope that its path is in, for documents whose own scope does not tell.
CREATE FUNCTION archivolt_browses(place text, series uuid, is_version boolean, identities text[]) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  ancestors text[];
BEGIN
  IF place IS NULL THEN
    SELECT l.path INTO place FROM documents l WHERE l.id = series;
  END IF;
  ancestors := archivolt_ancestors(place);
  RETURN coalesce((
    SELECT CASE WHEN is_version AND a.reads_versions THEN archivolt_may_browse_version(a.entries, identities)
                WHEN a.is_plain THEN a.browsers && identities
                ELSE archivolt_may_browse(a.entries, identities) END
    FROM acls a WHERE a.id = (
      SELECT s.acl_id FROM acl_scopes s WHERE s.path = ANY (ancestors) ORDER BY s.path DESC LIMIT 1)), false);
END
$$;
