-- The schema of the first release. What the tables and their columns hold is described in schema/*.ts, from which
-- Drizzle compares them; functions and triggers are described here, since Drizzle does not know them.
--
--   documents · full text · access rights · users and groups · directories · contributions · events · runs ·
--   bulk commands · mail


-- Documents ---------------------------------------------------------------------------------------------------

CREATE TABLE documents (
  id uuid PRIMARY KEY,
  parent_id uuid,
  name text NOT NULL,
  path text COLLATE "C",
  position integer,
  type text NOT NULL,
  facets text[] DEFAULT '{}' NOT NULL,
  lifecycle_state text,
  is_version boolean DEFAULT false NOT NULL,
  is_proxy boolean DEFAULT false NOT NULL,
  is_checked_in boolean DEFAULT false NOT NULL,
  is_trashed boolean DEFAULT false NOT NULL,
  major_version integer DEFAULT 0 NOT NULL,
  minor_version integer DEFAULT 0 NOT NULL,
  version_series_id uuid,
  version_label text,
  version_description text,
  version_created_at timestamp with time zone,
  is_latest_version boolean DEFAULT false NOT NULL,
  is_latest_major_version boolean DEFAULT false NOT NULL,
  base_version_id uuid,
  proxy_target_id uuid,
  proxy_version_series_id uuid,
  has_proxies boolean DEFAULT false NOT NULL,
  lock_owner text,
  locked_at timestamp with time zone,
  system_token integer DEFAULT 0 NOT NULL,
  user_token integer DEFAULT 0 NOT NULL,
  scope_id integer NOT NULL,
  properties jsonb NOT NULL
);

CREATE UNIQUE INDEX documents_path ON documents (path) WHERE path IS NOT NULL;
CREATE INDEX documents_parent ON documents (parent_id, name);
CREATE INDEX documents_type ON documents (type, lifecycle_state);
CREATE INDEX documents_trashed ON documents (id) WHERE is_trashed OR lifecycle_state = 'deleted';
CREATE INDEX documents_modified ON documents (((properties ->> 'dc:modified') COLLATE "C"));
CREATE INDEX documents_title ON documents ((left(properties ->> 'dc:title', 200) COLLATE "C"));
CREATE INDEX documents_series ON documents (version_series_id) WHERE version_series_id IS NOT NULL;
CREATE INDEX documents_proxy_target ON documents (proxy_target_id) WHERE proxy_target_id IS NOT NULL;
CREATE INDEX documents_proxy_series ON documents (proxy_version_series_id) WHERE proxy_version_series_id IS NOT NULL;
CREATE INDEX documents_scope ON documents (scope_id, type);
CREATE INDEX documents_tagged ON documents (scope_id) WHERE properties ? 'nxtag:tags';
CREATE INDEX documents_properties ON documents USING gin (properties jsonb_path_ops);

-- A proxy's row repeats what it shares with its target, so that queries and full text need no join. A trigger
-- and not a part of each update: its statement sees proxies made while the update waited for the target's row.
CREATE FUNCTION archivolt_share_with_proxies() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE documents p SET
    type = NEW.type, facets = NEW.facets, lifecycle_state = NEW.lifecycle_state,
    is_checked_in = NEW.is_checked_in, major_version = NEW.major_version, minor_version = NEW.minor_version,
    version_label = NEW.version_label, version_description = NEW.version_description,
    version_created_at = NEW.version_created_at, is_latest_version = NEW.is_latest_version,
    is_latest_major_version = NEW.is_latest_major_version, base_version_id = NEW.base_version_id,
    lock_owner = NEW.lock_owner, locked_at = NEW.locked_at, user_token = NEW.user_token,
    system_token = p.system_token + 1, properties = NEW.properties
  WHERE p.proxy_target_id = NEW.id;
  RETURN NULL;
END
$$;

CREATE TRIGGER documents_share_with_proxies AFTER UPDATE ON documents
FOR EACH ROW WHEN (NEW.has_proxies) EXECUTE FUNCTION archivolt_share_with_proxies();

-- Adds to a whole number inside the properties of a document, so that an increment is one UPDATE that reads nothing
-- before: null counts as 0, complex values on the way are created, and null comes back when an item of a list on the
-- way is not there.
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


-- Full text (docs/nxql.md) ------------------------------------------------------------------------------------

CREATE EXTENSION IF NOT EXISTS unaccent;

CREATE TABLE document_texts (
  document_id uuid PRIMARY KEY,
  words tsvector NOT NULL,
  binary_words tsvector
);

CREATE INDEX document_texts_words ON document_texts USING gin (words);

CREATE TABLE fulltext_fields (
  owner text PRIMARY KEY,
  a text[] NOT NULL,
  b text[] NOT NULL,
  c text[] NOT NULL,
  nested_keys text[] NOT NULL,
  nested_paths jsonpath[] NOT NULL
);

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

-- The strings of some properties, one after another. Properties that are not there must cost nothing: a type has many.
CREATE FUNCTION archivolt_texts(properties jsonb, keys text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
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

-- The words of such texts with their weights. Empty texts must cost nothing: most documents have no body.
CREATE FUNCTION archivolt_words(texts text[]) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
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

-- Writes the words with the document, whoever writes it, so that a search never misses what was committed. Words
-- whose texts have not changed stay: they and their index are most of what such a write costs.
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

CREATE TRIGGER documents_index_words AFTER INSERT OR UPDATE OF properties, facets, type ON documents
FOR EACH ROW EXECUTE FUNCTION archivolt_index_words();

-- Instead of a foreign key, whose check would cost each new document more than this costs each removal.
CREATE FUNCTION archivolt_forget_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM document_texts t USING gone WHERE t.document_id = gone.id;
  RETURN NULL;
END $$;

CREATE TRIGGER documents_forget_words AFTER DELETE ON documents REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT EXECUTE FUNCTION archivolt_forget_words();


-- Access rights (docs/security.md) ----------------------------------------------------------------------------

CREATE TABLE document_acls (
  document_id uuid NOT NULL CONSTRAINT document_acls_document_id_documents_id_fk REFERENCES documents ON DELETE CASCADE,
  acl text NOT NULL,
  position integer NOT NULL,
  username text NOT NULL,
  permission text NOT NULL,
  granted boolean NOT NULL,
  creator text,
  begins_at timestamp with time zone,
  ends_at timestamp with time zone,
  status smallint,
  notify boolean DEFAULT false NOT NULL,
  comment text,
  CONSTRAINT document_acls_document_id_position_pk PRIMARY KEY (document_id, position)
);

CREATE INDEX document_acls_dated ON document_acls (document_id) WHERE begins_at IS NOT NULL OR ends_at IS NOT NULL;
CREATE INDEX document_acls_username ON document_acls (username);

CREATE TABLE acls (
  id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  fingerprint text NOT NULL CONSTRAINT acls_fingerprint_unique UNIQUE,
  entries jsonb NOT NULL,
  browsers text[] NOT NULL,
  is_plain boolean NOT NULL,
  reads_versions boolean DEFAULT false NOT NULL,
  browsing text DEFAULT '' NOT NULL
);

CREATE INDEX acls_browsers ON acls USING gin (browsers);
CREATE INDEX acls_reads_versions ON acls (id) WHERE reads_versions;
CREATE INDEX acls_walked ON acls (id) WHERE NOT is_plain;

CREATE TABLE acl_scopes (
  id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  document_id uuid NOT NULL CONSTRAINT acl_scopes_document_id_unique UNIQUE
    CONSTRAINT acl_scopes_document_id_documents_id_fk REFERENCES documents ON DELETE CASCADE,
  path text COLLATE "C" NOT NULL,
  acl_id integer NOT NULL,
  is_split boolean DEFAULT false NOT NULL,
  is_pending boolean DEFAULT false NOT NULL
);

CREATE UNIQUE INDEX acl_scopes_path ON acl_scopes (path);
CREATE INDEX acl_scopes_acl ON acl_scopes (acl_id, id);
CREATE INDEX acl_scopes_split ON acl_scopes (id) WHERE is_split;
CREATE INDEX acl_scopes_pending ON acl_scopes (path) WHERE is_pending;

CREATE TABLE acl_changes (
  id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  mark bigint NOT NULL
);

-- 0 pending, 1 effective, 2 archived; null for an entry without dates.
CREATE FUNCTION archivolt_ace_status(begins timestamptz, ends timestamptz, moment timestamptz) RETURNS smallint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN begins IS NULL AND ends IS NULL THEN NULL
              WHEN ends <= moment THEN 2 WHEN begins > moment THEN 0 ELSE 1 END::smallint
$$;

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

-- As archivolt_may_browse, on versions, where ReadVersion counts as Read.
CREATE FUNCTION archivolt_may_browse_version(entries jsonb, identities text[]) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce((
    SELECT (entry ->> 'granted')::boolean
    FROM jsonb_array_elements(entries) WITH ORDINALITY AS ace(entry, rank)
    WHERE ((entry ->> 'browse')::boolean OR entry ->> 'permission' = 'ReadVersion')
      AND entry ->> 'username' = ANY (identities)
      AND coalesce((entry ->> 'begin')::timestamptz <= now(), true)
      AND coalesce((entry ->> 'end')::timestamptz > now(), true)
    ORDER BY rank
    LIMIT 1
  ), false)
$$;

-- A path and all above it. A loop and not a query: it is called for each document of a split scope, and a statement
-- of its own would take five times as long.
CREATE FUNCTION archivolt_ancestors(place text) RETURNS text[]
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

-- The deepest scope whose path is the given one or an ancestor of it: what decides, whatever a document
-- remembers.
CREATE FUNCTION archivolt_scope_of(place text) RETURNS integer
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  ancestors text[] := archivolt_ancestors(place);
BEGIN
  RETURN (SELECT s.id FROM acl_scopes s WHERE s.path = ANY (ancestors) ORDER BY s.path DESC LIMIT 1);
END
$$;

-- The effective ACL in force at a path, or on the live document of a series of versions.
CREATE FUNCTION archivolt_acl_of(place text, series uuid) RETURNS integer
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

-- Whether one may browse a document by the scope that its path is in, for documents whose own scope does not decide.
-- It is asked of documents of such scopes alone: at its default cost the planner would expect it to take most of the
-- time of every query, and choose parallel plans and compilation for queries that are over in milliseconds.
CREATE FUNCTION archivolt_browses(place text, series uuid, is_version boolean, identities text[]) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE COST 1 AS $$
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

-- Moves the mark in the transaction that changes who may browse what, once for each. By a random step, so that a
-- database which is restored under a running process does not come by a mark that it had.
CREATE FUNCTION archivolt_mark_acl_change() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  step bigint := 1 + floor(random() * 1000000)::bigint;
BEGIN
  IF current_setting('archivolt.acl_marked', true) = pg_current_xact_id()::text THEN
    RETURN NULL;
  END IF;
  UPDATE acl_changes SET mark = mark + step
  WHERE id = (SELECT c.id FROM acl_changes c ORDER BY c.id LIMIT 1 FOR UPDATE SKIP LOCKED);
  IF NOT FOUND THEN
    INSERT INTO acl_changes (mark) VALUES (step);
  END IF;
  PERFORM set_config('archivolt.acl_marked', pg_current_xact_id()::text, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER acl_scopes_marked AFTER INSERT OR UPDATE OF id, acl_id, is_split OR TRUNCATE ON acl_scopes
FOR EACH STATEMENT EXECUTE FUNCTION archivolt_mark_acl_change();

-- For each row: the removal of any document looks for its scope, and most have none.
CREATE TRIGGER acl_scopes_removed AFTER DELETE ON acl_scopes
FOR EACH ROW EXECUTE FUNCTION archivolt_mark_acl_change();

-- A new ACL grants nothing until a scope points to it.
CREATE TRIGGER acls_marked AFTER UPDATE OR DELETE OR TRUNCATE ON acls
FOR EACH STATEMENT EXECUTE FUNCTION archivolt_mark_acl_change();

-- Which state of the access rights the snapshot of a statement sees.
CREATE FUNCTION archivolt_acl_mark() RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT coalesce(sum(c.mark), 0)::text FROM acl_changes c);
END
$$;

-- As archivolt_readable_scopes(identities), which somebody has asked before: `known` is the answer that was given at
-- `mark`, and which no date of an entry changes from `since` until `until`. It is gathered again when it no longer
-- holds in the snapshot of the statement: what a process remembers can be old, an answer cannot.
CREATE FUNCTION archivolt_readable_scopes(identities text[], known text, mark text, since timestamptz, until timestamptz)
RETURNS integer[]
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF now() >= since AND now() < until AND mark = archivolt_acl_mark() THEN
    RETURN known::integer[];
  END IF;
  RETURN archivolt_readable_scopes(identities);
END
$$;

-- When the next entry with dates begins or ends to count.
CREATE FUNCTION archivolt_next_ace_date() RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(min(date.moment), 'infinity')
  FROM acls a, jsonb_array_elements(a.entries) AS ace(entry),
    LATERAL (VALUES ((entry ->> 'begin')::timestamptz), ((entry ->> 'end')::timestamptz)) AS date(moment)
  WHERE NOT a.is_plain AND date.moment > now()
$$;


-- Users and groups --------------------------------------------------------------------------------------------

CREATE TABLE users (
  username text PRIMARY KEY,
  password_hash text,
  first_name text,
  last_name text,
  email text,
  company text,
  properties jsonb DEFAULT '{}' NOT NULL,
  is_enabled boolean DEFAULT true NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE groups (
  groupname text PRIMARY KEY,
  label text,
  description text,
  properties jsonb DEFAULT '{}' NOT NULL
);

CREATE TABLE group_members (
  groupname text NOT NULL CONSTRAINT group_members_groupname_groups_groupname_fk
    REFERENCES groups ON DELETE CASCADE ON UPDATE CASCADE,
  member text NOT NULL,
  kind text NOT NULL,
  CONSTRAINT group_members_groupname_kind_member_pk PRIMARY KEY (groupname, kind, member)
);

CREATE INDEX group_members_member ON group_members (kind, member);

-- Processes remember who may log in and which groups a user has. Whoever changes that, by whatever way, notifies
-- them all when the change is committed.
CREATE FUNCTION archivolt_identities_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('archivolt_identities', '');
  RETURN NULL;
END
$$;

CREATE TRIGGER users_changed AFTER INSERT OR UPDATE OR DELETE ON users
FOR EACH STATEMENT EXECUTE FUNCTION archivolt_identities_changed();

CREATE TRIGGER groups_changed AFTER INSERT OR UPDATE OR DELETE ON groups
FOR EACH STATEMENT EXECUTE FUNCTION archivolt_identities_changed();

CREATE TRIGGER group_members_changed AFTER INSERT OR UPDATE OR DELETE ON group_members
FOR EACH STATEMENT EXECUTE FUNCTION archivolt_identities_changed();


-- Directories -------------------------------------------------------------------------------------------------

CREATE TABLE directory_entries (
  directory text NOT NULL,
  id text COLLATE "C" NOT NULL,
  ordering bigint DEFAULT 0 NOT NULL,
  properties jsonb NOT NULL,
  CONSTRAINT directory_entries_directory_id_pk PRIMARY KEY (directory, id)
);

CREATE INDEX directory_entries_order ON directory_entries (directory, ordering, id);
CREATE INDEX directory_entries_properties ON directory_entries USING gin (properties jsonb_path_ops);

CREATE TABLE directory_states (
  directory text PRIMARY KEY,
  loaded text,
  loaded_at timestamp with time zone,
  last_id bigint DEFAULT 0 NOT NULL
);


-- Contributions -----------------------------------------------------------------------------------------------

CREATE TABLE contributions (
  point text NOT NULL,
  name text NOT NULL,
  version integer NOT NULL,
  source text NOT NULL,
  format text NOT NULL,
  content jsonb NOT NULL,
  is_deleted boolean DEFAULT false NOT NULL,
  author text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT contributions_point_name_version_pk PRIMARY KEY (point, name, version)
);

CREATE INDEX contributions_marks ON contributions (created_at);

-- What includes Browse may be another thing after a deployment of permissions: the upkeep of access rights derives
-- again what queries look at.
CREATE FUNCTION archivolt_permissions_deployed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('archivolt_access_upkeep', '');
  RETURN NULL;
END
$$;

CREATE TRIGGER contributions_permissions AFTER INSERT OR UPDATE ON contributions
FOR EACH ROW WHEN (NEW.point = 'permissions') EXECUTE FUNCTION archivolt_permissions_deployed();


-- Events ------------------------------------------------------------------------------------------------------

CREATE TABLE outbox (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  event text NOT NULL,
  document_id uuid,
  principal text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  transaction_id text DEFAULT pg_current_xact_id()::text NOT NULL,
  depth smallint DEFAULT coalesce(nullif(current_setting('archivolt.event_depth', true), ''), '0')::smallint NOT NULL
);

CREATE INDEX outbox_relayed ON outbox ((transaction_id::bigint), id);

CREATE TABLE outbox_cursors (
  name text PRIMARY KEY,
  transaction_id bigint NOT NULL,
  event_id bigint NOT NULL
);


-- Runs --------------------------------------------------------------------------------------------------------

CREATE TABLE receipts (
  workflow_id text NOT NULL,
  step text NOT NULL,
  result jsonb NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT receipts_workflow_id_step_pk PRIMARY KEY (workflow_id, step)
);

CREATE INDEX receipts_created ON receipts (created_at);

CREATE TABLE loop_progress (
  workflow_id text NOT NULL,
  step text NOT NULL,
  position integer NOT NULL,
  total integer NOT NULL,
  failed integer DEFAULT 0 NOT NULL,
  stopped jsonb,
  variables jsonb,
  entered jsonb,
  document_id text,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT loop_progress_workflow_id_step_pk PRIMARY KEY (workflow_id, step)
);

CREATE TABLE loop_failures (
  workflow_id text NOT NULL,
  step text NOT NULL,
  position integer NOT NULL,
  status integer NOT NULL,
  message text NOT NULL,
  document_id text,
  CONSTRAINT loop_failures_workflow_id_step_position_pk PRIMARY KEY (workflow_id, step, position),
  CONSTRAINT loop_failures_loop FOREIGN KEY (workflow_id, step) REFERENCES loop_progress ON DELETE CASCADE
);

CREATE TABLE run_incidents (
  workflow_id text COLLATE "C" NOT NULL,
  step text NOT NULL,
  ordinal integer NOT NULL,
  incident jsonb NOT NULL,
  at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT run_incidents_workflow_id_step_ordinal_pk PRIMARY KEY (workflow_id, step, ordinal)
);

CREATE INDEX run_incidents_at ON run_incidents (at);

CREATE TABLE transient_entries (
  key text NOT NULL,
  chunk integer DEFAULT 0 NOT NULL,
  value jsonb NOT NULL,
  bytes bigint NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT transient_entries_key_chunk_pk PRIMARY KEY (key, chunk)
);

CREATE INDEX transient_entries_expiry ON transient_entries (expires_at);

CREATE TABLE inline_runs (
  run_id text PRIMARY KEY,
  chain_id text NOT NULL,
  principal text NOT NULL,
  request_id text NOT NULL,
  document_id text,
  title text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  closed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
  failure jsonb,
  request jsonb
);

CREATE INDEX inline_runs_closed ON inline_runs (closed_at, run_id);
CREATE INDEX inline_runs_principal ON inline_runs (principal, closed_at, run_id);

CREATE TABLE sequences (
  key text PRIMARY KEY,
  last bigint NOT NULL
);


-- Bulk commands -----------------------------------------------------------------------------------------------

CREATE TABLE bulk_commands (
  id uuid PRIMARY KEY,
  principal text NOT NULL,
  request_id text NOT NULL,
  action text NOT NULL,
  query jsonb NOT NULL,
  query_limit integer,
  work jsonb NOT NULL,
  bucket_size integer NOT NULL,
  batch_size integer NOT NULL,
  rate integer,
  repairs uuid,
  state text DEFAULT 'SCHEDULED' NOT NULL,
  collected integer DEFAULT 0 NOT NULL,
  last_id text,
  processed integer DEFAULT 0 NOT NULL,
  failed integer DEFAULT 0 NOT NULL,
  error text,
  is_started boolean DEFAULT false NOT NULL,
  event_depth smallint DEFAULT coalesce(nullif(current_setting('archivolt.event_depth', true), ''), '0')::smallint NOT NULL,
  submitted_at timestamp with time zone DEFAULT now() NOT NULL,
  scroll_started_at timestamp with time zone,
  scroll_ended_at timestamp with time zone,
  completed_at timestamp with time zone
);

CREATE INDEX bulk_commands_waiting ON bulk_commands (submitted_at) WHERE NOT is_started;
CREATE INDEX bulk_commands_open ON bulk_commands (principal) WHERE completed_at IS NULL;
CREATE INDEX bulk_commands_completed ON bulk_commands (completed_at) WHERE completed_at IS NOT NULL;

CREATE TABLE bulk_failures (
  command_id uuid NOT NULL CONSTRAINT bulk_failures_command_id_bulk_commands_id_fk
    REFERENCES bulk_commands ON DELETE CASCADE,
  document_id uuid NOT NULL,
  position integer NOT NULL,
  status integer NOT NULL,
  message text NOT NULL,
  CONSTRAINT bulk_failures_command_id_position_pk PRIMARY KEY (command_id, position)
);

CREATE UNIQUE INDEX bulk_failures_document ON bulk_failures (command_id, document_id);


-- Mail --------------------------------------------------------------------------------------------------------

CREATE TABLE mails (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  message jsonb NOT NULL,
  principal text NOT NULL,
  state text DEFAULT 'waiting' NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamp with time zone DEFAULT now() NOT NULL,
  error text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  settled_at timestamp with time zone
);

CREATE INDEX mails_waiting ON mails (next_attempt_at) WHERE state = 'waiting';
CREATE INDEX mails_settled ON mails (settled_at) WHERE state <> 'waiting';
