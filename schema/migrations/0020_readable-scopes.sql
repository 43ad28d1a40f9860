-- Scopes of ACLs that do not decide by themselves: while one is being split the path of a document does, and under an
-- entry of ReadVersion whether it is a version. Usually there are none.
CREATE FUNCTION archivolt_undecided_scopes() RETURNS integer[]
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN ARRAY(
    SELECT s.id FROM acl_scopes s WHERE s.is_split
    UNION ALL
    SELECT s.id FROM acls a JOIN acl_scopes s ON s.acl_id = a.id WHERE a.reads_versions);
END
$$;
--> statement-breakpoint
-- Scopes whose documents one may browse who has these names, and those that do not decide by themselves. A function,
-- so that its plan is made once for a connection, each part by an index of its own.
CREATE FUNCTION archivolt_readable_scopes(identities text[]) RETURNS integer[]
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN ARRAY(
    SELECT s.id FROM acl_scopes s WHERE s.acl_id = ANY (ARRAY(
      SELECT a.id FROM acls a WHERE a.is_plain AND a.browsers && identities
      UNION ALL
      SELECT a.id FROM acls a WHERE NOT a.is_plain AND archivolt_may_browse(a.entries, identities)))
  ) || archivolt_undecided_scopes();
END
$$;
--> statement-breakpoint
-- Asked of documents of such scopes alone: at its default cost the planner would expect it to take most of the time of
-- every query, and choose parallel plans and compilation for queries that are over in milliseconds.
ALTER FUNCTION archivolt_browses(text, uuid, boolean, text[]) COST 1;
