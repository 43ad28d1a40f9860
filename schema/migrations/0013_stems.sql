CREATE TABLE "fulltext_languages" (
	"language" text NOT NULL
);

-- The stemmer of Postgres for what a document says of its language (fr, fr-FR, FRE, French); empty without one.
CREATE FUNCTION archivolt_language(written text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  name text;
BEGIN
  IF coalesce(written, '') = '' THEN
    RETURN '';
  END IF;
  name := lower(split_part(translate(written, '_', '-'), '-', 1));
  RETURN CASE
    WHEN name IN ('en', 'eng', 'english') THEN 'english'
    WHEN name IN ('fr', 'fra', 'fre', 'french') THEN 'french'
    WHEN name IN ('de', 'deu', 'ger', 'german') THEN 'german'
    WHEN name IN ('es', 'spa', 'spanish') THEN 'spanish'
    WHEN name IN ('it', 'ita', 'italian') THEN 'italian'
    WHEN name IN ('pt', 'por', 'portuguese') THEN 'portuguese'
    WHEN name IN ('nl', 'nld', 'dut', 'dutch') THEN 'dutch'
    WHEN name IN ('ar', 'ara', 'arabic') THEN 'arabic'
    WHEN name IN ('ca', 'cat', 'catalan') THEN 'catalan'
    WHEN name IN ('da', 'dan', 'danish') THEN 'danish'
    WHEN name IN ('el', 'ell', 'gre', 'greek') THEN 'greek'
    WHEN name IN ('eu', 'eus', 'baq', 'basque') THEN 'basque'
    WHEN name IN ('fi', 'fin', 'finnish') THEN 'finnish'
    WHEN name IN ('ga', 'gle', 'irish') THEN 'irish'
    WHEN name IN ('hi', 'hin', 'hindi') THEN 'hindi'
    WHEN name IN ('hu', 'hun', 'hungarian') THEN 'hungarian'
    WHEN name IN ('hy', 'hye', 'arm', 'armenian') THEN 'armenian'
    WHEN name IN ('id', 'ind', 'indonesian') THEN 'indonesian'
    WHEN name IN ('lt', 'lit', 'lithuanian') THEN 'lithuanian'
    WHEN name IN ('ne', 'nep', 'nepali') THEN 'nepali'
    WHEN name IN ('no', 'nb', 'nn', 'nor', 'nob', 'nno', 'norwegian') THEN 'norwegian'
    WHEN name IN ('ro', 'ron', 'rum', 'romanian') THEN 'romanian'
    WHEN name IN ('ru', 'rus', 'russian') THEN 'russian'
    WHEN name IN ('sr', 'srp', 'serbian') THEN 'serbian'
    WHEN name IN ('sv', 'swe', 'swedish') THEN 'swedish'
    WHEN name IN ('ta', 'tam', 'tamil') THEN 'tamil'
    WHEN name IN ('tr', 'tur', 'turkish') THEN 'turkish'
    WHEN name IN ('yi', 'yid', 'yiddish') THEN 'yiddish'
    ELSE ''
  END;
END $$;

-- The words of a text as they are, and behind them their stems in its language, which no word looks like:
-- `=english:appl`. Those of the beginning of a long text, since a tsvector holds less than 1 MB. A folded word has
-- neither quotes nor spaces.
CREATE FUNCTION archivolt_weighted(plain text, weight "char", language text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  folded text := archivolt_fold(plain);
  words tsvector := to_tsvector('simple'::regconfig, folded);
BEGIN
  IF language <> '' THEN
    words := words || regexp_replace(
      to_tsvector(('pg_catalog.' || language)::regconfig, left(folded, 100000))::text,
      '(^| )''', '\1''=' || language || ':', 'g')::tsvector;
  END IF;
  RETURN setweight(words, weight);
END $$;

-- As before, with the language behind the texts.
CREATE OR REPLACE FUNCTION archivolt_document_texts(fields fulltext_fields, properties jsonb) RETURNS text[]
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
    left(archivolt_texts(properties, fields.a), 2000), left(archivolt_texts(properties, fields.b), 10000), body,
    archivolt_language(properties ->> 'dc:language')];
END $$;

CREATE OR REPLACE FUNCTION archivolt_words(texts text[]) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  title text := texts[1];
  description text := texts[2];
  body text := texts[3];
  language text := texts[4];
  words tsvector := '';
BEGIN
  IF title <> '' THEN
    words := archivolt_weighted(title, 'A', language);
  END IF;
  IF description <> '' THEN
    words := words || archivolt_weighted(description, 'B', language);
  END IF;
  IF body <> '' THEN
    words := words || archivolt_weighted(body, 'C', language);
  END IF;
  RETURN words;
END $$;

-- As before; the languages of documents are noted, for whoever searches.
CREATE OR REPLACE FUNCTION archivolt_index_words() RETURNS trigger LANGUAGE plpgsql AS $$
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
  IF texts[4] <> '' AND NOT EXISTS (SELECT FROM fulltext_languages WHERE language = texts[4]) THEN
    INSERT INTO fulltext_languages (language) VALUES (texts[4]);
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO document_texts (document_id, words) VALUES (NEW.id, archivolt_words(texts));
  ELSIF OLD.type <> NEW.type OR OLD.facets <> NEW.facets
    OR texts <> archivolt_document_texts(fields, OLD.properties) THEN
    INSERT INTO document_texts AS t (document_id, words) VALUES (NEW.id, archivolt_words(texts))
    ON CONFLICT (document_id) DO UPDATE SET words = EXCLUDED.words || coalesce(t.binary_words, '');
  END IF;
  RETURN NULL;
END $$;

-- The stems of a word that is searched for, in each language that documents are in; none of several words.
CREATE FUNCTION archivolt_stems(plain text) RETURNS text[] LANGUAGE plpgsql STABLE PARALLEL SAFE STRICT AS $$
DECLARE
  folded text := archivolt_fold(plain);
BEGIN
  IF length(to_tsvector('simple'::regconfig, folded)) <> 1 THEN
    RETURN '{}';
  END IF;
  RETURN ARRAY(
    SELECT '=' || l.language || ':' || lexeme
    FROM (SELECT DISTINCT language FROM fulltext_languages) l,
      unnest(tsvector_to_array(to_tsvector(('pg_catalog.' || l.language)::regconfig, folded))) lexeme);
END $$;

-- What finds a word in any of its forms, in the index with a weight or, where that is empty, in all.
CREATE FUNCTION archivolt_word(plain text, weight text) RETURNS tsquery LANGUAGE plpgsql STABLE PARALLEL SAFE STRICT AS $$
DECLARE
  mark text := CASE weight WHEN '' THEN '' ELSE ':' || weight END;
  wanted tsquery := to_tsquery('simple'::regconfig, '''' || archivolt_fold(plain) || '''' || mark);
  stem text;
BEGIN
  FOREACH stem IN ARRAY archivolt_stems(plain) LOOP
    wanted := wanted || ('''' || stem || '''' || mark)::tsquery;
  END LOOP;
  RETURN wanted;
END $$;

INSERT INTO fulltext_languages (language)
SELECT DISTINCT archivolt_language(properties ->> 'dc:language') FROM documents
WHERE archivolt_language(properties ->> 'dc:language') <> '';

UPDATE document_texts t SET words = archivolt_words(archivolt_document_texts(f, d.properties)) || coalesce(t.binary_words, '')
FROM documents d, LATERAL archivolt_fulltext_fields(d.type, d.facets) f
WHERE d.id = t.document_id AND f.owner IS NOT NULL AND archivolt_language(d.properties ->> 'dc:language') <> '';
