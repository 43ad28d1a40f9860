-- The same words at less cost: texts that are empty, and properties that are not there, cost nothing.
CREATE OR REPLACE FUNCTION archivolt_words(texts text[]) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  title text := texts[1];
  description text := texts[2];
  body text := texts[3];
  words tsvector := '';
BEGIN
  IF title <> '' THEN
    words := setweight(to_tsvector('simple'::regconfig, archivolt_fold(title)), 'A');
  END IF;
  IF description <> '' THEN
    words := words || setweight(to_tsvector('simple'::regconfig, archivolt_fold(description)), 'B');
  END IF;
  IF body <> '' THEN
    words := words || setweight(to_tsvector('simple'::regconfig, archivolt_fold(body)), 'C');
  END IF;
  RETURN words;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION archivolt_texts(properties jsonb, keys text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  key text;
  texts text := '';
BEGIN
  FOREACH key IN ARRAY keys LOOP
    IF properties ? key THEN
      texts := texts || ' ' || archivolt_strings(properties -> key);
    END IF;
  END LOOP;
  RETURN texts;
END $$;
