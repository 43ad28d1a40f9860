-- The same answers at a fifth of the cost: no statement of their own builds the list of ancestors.
CREATE OR REPLACE FUNCTION archivolt_ancestors(place text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  parts text[] := string_to_array(place, '/');
  ancestors text[] := ARRAY['/', place];
  ancestor text := '';
BEGIN
  FOR n IN 2 .. cardinality(parts) - 1 LOOP
    ancestor := ancestor || '/' || parts[n];
    ancestors := ancestors || ancestor;
  END LOOP;
  RETURN ancestors;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION archivolt_scope_of(place text) RETURNS integer
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  ancestors text[] := archivolt_ancestors(place);
BEGIN
  RETURN (SELECT s.id FROM acl_scopes s WHERE s.path = ANY (ancestors) ORDER BY s.path DESC LIMIT 1);
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION archivolt_acl_of(place text, series uuid) RETURNS integer
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  ancestors text[];
BEGIN
  IF place IS NULL THEN
    SELECT l.path INTO place FROM documents l WHERE l.id = series;
  END IF;
  ancestors := archivolt_ancestors(place);
  RETURN (SELECT s.acl_id FROM acl_scopes s WHERE s.path = ANY (ancestors) ORDER BY s.path DESC LIMIT 1);
END
$$;
