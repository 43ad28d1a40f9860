-- Whether the first effective entry about browsing that names one of the identities grants it: the order
-- decides, no denial wins by itself. Only ACLs that are not plain are asked this way.
CREATE FUNCTION archivolt_may_browse(entries jsonb, identities text[]) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce((
    SELECT (entry ->> 'granted')::boolean
    FROM jsonb_array_elements(entries) WITH ORDINALITY AS ace(entry, rank)
    WHERE (entry ->> 'browse')::boolean
      AND entry ->> 'username' = ANY (identities)
      AND coalesce((entry ->> 'begin')::timestamptz <= now(), true)
      AND coalesce((entry ->> 'end')::timestamptz > now(), true)
    ORDER BY rank
    LIMIT 1
  ), false)
$$;
