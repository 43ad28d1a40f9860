-- An ACL that no scope names any more stays, as a transaction may be about to name it again. It decides about nothing, so
-- that its entries are not looked at: they may be many, with as many dates.
CREATE OR REPLACE FUNCTION archivolt_readable_scopes(identities text[]) RETURNS integer[]
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN ARRAY(
    SELECT s.id FROM acl_scopes s WHERE s.acl_id = ANY (ARRAY(
      SELECT a.id FROM acls a WHERE a.is_plain AND a.browsers && identities
      UNION ALL
      SELECT a.id FROM acls a WHERE NOT a.is_plain AND CASE
        WHEN EXISTS (SELECT FROM acl_scopes n WHERE n.acl_id = a.id) THEN archivolt_may_browse(a.entries, identities)
        ELSE false END))
  ) || archivolt_undecided_scopes();
END
$$;

CREATE OR REPLACE FUNCTION archivolt_next_ace_date() RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(min(date.moment), 'infinity')
  FROM acls a, jsonb_array_elements(CASE
      WHEN EXISTS (SELECT FROM acl_scopes n WHERE n.acl_id = a.id) THEN a.entries ELSE '[]' END) AS ace(entry),
    LATERAL (VALUES ((entry ->> 'begin')::timestamptz), ((entry ->> 'end')::timestamptz)) AS date(moment)
  WHERE NOT a.is_plain AND date.moment > now()
$$;
