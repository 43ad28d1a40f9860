CREATE EXTENSION IF NOT EXISTS unaccent;
--> statement-breakpoint
-- The one place that says what a word is, for texts and for searches: accents folded, everything but letters
-- and digits a space. The case is folded by the text search configuration `simple`. Ranges of code points, since
-- classes of characters depend on the locale of the database.
CREATE FUNCTION archivolt_fold(plain text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  IF plain ~ U&'[\0300-\036F]' THEN
    plain := normalize(plain, NFC);
  END IF;
  RETURN regexp_replace(
    unaccent('unaccent'::regdictionary, plain),
    U&'[\0001-/:-@\005B-`{-\00BF\2000-\206F\2190-\2BFF\3000-\303F\FF00-\FF0F]+', ' ', 'g');
END $$;
--> statement-breakpoint
-- The strings of a JSON value, one after another.
CREATE FUNCTION archivolt_strings(value jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  RETURN CASE jsonb_typeof(value)
    WHEN 'string' THEN value #>> '{}'
    -- Quotes and brackets are no part of words; an escaped line feed would leave its letter.
    WHEN 'array' THEN regexp_replace(value::text, '\\[nrtbf]|\\u[0-9a-f]{4}', ' ', 'g')
    ELSE ''
  END;
END $$;
--> statement-breakpoint
CREATE FUNCTION archivolt_texts(properties jsonb, keys text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  key text;
  texts text := '';
BEGIN
  FOREACH key IN ARRAY keys LOOP
    CONTINUE WHEN properties -> key IS NULL;
    texts := texts || ' ' || archivolt_strings(properties -> key);
  END LOOP;
  RETURN texts;
END $$;
--> statement-breakpoint
-- What is searched of a document with these fields: its texts by weight. Cut, since a tsvector holds less than
-- 1 MB; tags and entities of markup are no words.
CREATE FUNCTION archivolt_document_texts(fields fulltext_fields, properties jsonb) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  body text := archivolt_texts(properties, fields.c);
BEGIN
  FOR i IN 1 .. cardinality(fields.nested_keys) LOOP
    CONTINUE WHEN properties -> fields.nested_keys[i] IS NULL;
    body := body || ' ' || archivolt_strings(jsonb_path_query_array(properties, fields.nested_paths[i]));
  END LOOP;
  body := left(body, 80000);
  IF strpos(body, '<') > 0 THEN
    body := regexp_replace(body, '</?[A-Za-z][^<>]*>|&#?[A-Za-z0-9]+;', ' ', 'g');
  END IF;
  RETURN ARRAY[
    left(archivolt_texts(properties, fields.a), 2000), left(archivolt_texts(properties, fields.b), 10000), body];
END $$;
--> statement-breakpoint
CREATE FUNCTION archivolt_words(texts text[]) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  RETURN setweight(to_tsvector('simple'::regconfig, archivolt_fold(texts[1])), 'A')
      || setweight(to_tsvector('simple'::regconfig, archivolt_fold(texts[2])), 'B')
      || setweight(to_tsvector('simple'::regconfig, archivolt_fold(texts[3])), 'C');
END $$;
--> statement-breakpoint
-- The fields of a document by its type and its own facets; nothing when no search of words finds it.
CREATE FUNCTION archivolt_fulltext_fields(doc_type text, doc_facets text[]) RETURNS fulltext_fields
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  fields fulltext_fields;
  more fulltext_fields;
BEGIN
  SELECT * INTO fields FROM fulltext_fields WHERE owner = 'type:' || doc_type;
  IF doc_facets = '{}' OR fields.owner IS NULL THEN
    RETURN fields;
  END IF;
  IF 'NotFulltextIndexable' = ANY (doc_facets) THEN
    RETURN NULL;
  END IF;
  FOR more IN
    SELECT f.* FROM unnest(doc_facets) facet JOIN fulltext_fields f ON f.owner = 'facet:' || facet ORDER BY f.owner
  LOOP
    fields.a := fields.a || ARRAY(SELECT key FROM unnest(more.a) key WHERE key <> ALL (fields.a));
    fields.b := fields.b || ARRAY(SELECT key FROM unnest(more.b) key WHERE key <> ALL (fields.b));
    fields.c := fields.c || ARRAY(SELECT key FROM unnest(more.c) key WHERE key <> ALL (fields.c));
    fields.nested_keys := fields.nested_keys || more.nested_keys;
    fields.nested_paths := fields.nested_paths || more.nested_paths;
  END LOOP;
  RETURN fields;
END $$;
--> statement-breakpoint
CREATE FUNCTION archivolt_index_words() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fields fulltext_fields := archivolt_fulltext_fields(NEW.type, NEW.facets);
  texts text[];
BEGIN
  IF fields.owner IS NULL THEN
    IF TG_OP = 'UPDATE' THEN
      DELETE FROM document_texts WHERE document_id = NEW.id;
    END IF;
    RETURN NULL;
  END IF;
  texts := archivolt_document_texts(fields, NEW.properties);
  IF TG_OP = 'INSERT' THEN
    INSERT INTO document_texts (document_id, words) VALUES (NEW.id, archivolt_words(texts));
  ELSIF OLD.type <> NEW.type OR OLD.facets <> NEW.facets
    OR texts <> archivolt_document_texts(fields, OLD.properties) THEN
    INSERT INTO document_texts AS t (document_id, words) VALUES (NEW.id, archivolt_words(texts))
    ON CONFLICT (document_id) DO UPDATE SET words = EXCLUDED.words || coalesce(t.binary_words, '');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION archivolt_forget_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM document_texts t USING gone WHERE t.document_id = gone.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER documents_index_words AFTER INSERT OR UPDATE OF properties, facets, type ON documents
FOR EACH ROW EXECUTE FUNCTION archivolt_index_words();
--> statement-breakpoint
CREATE TRIGGER documents_forget_words AFTER DELETE ON documents REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT EXECUTE FUNCTION archivolt_forget_words();
