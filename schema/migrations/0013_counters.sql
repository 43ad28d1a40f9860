-- Adds to a whole number inside the properties of a document: null counts as 0, complex values on the way are
-- made, and null comes back when an item of a list on the way is not there.
CREATE FUNCTION increment_property(properties jsonb, path text[], by numeric) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  result jsonb := properties;
  present jsonb;
BEGIN
  FOR depth IN 1 .. cardinality(path) LOOP
    present := result #> path[1:depth];
    IF present IS NULL AND path[depth] ~ '^[0-9]+$' THEN
      RETURN NULL;
    END IF;
    IF depth < cardinality(path) AND (present IS NULL OR jsonb_typeof(present) = 'null') THEN
      IF path[depth + 1] ~ '^[0-9]+$' THEN
        RETURN NULL;
      END IF;
      result := jsonb_set(result, path[1:depth], '{}');
    END IF;
  END LOOP;
  RETURN jsonb_set(result, path, to_jsonb(coalesce((result #>> path)::numeric, 0) + by));
END
$$;
