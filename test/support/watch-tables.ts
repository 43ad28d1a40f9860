import type { Sql } from '../../storage/postgres/index.js'

/** What has been written to each table so far: equal when nothing at all was written between. */
export type Traces = Record<string, string>

/**
 * Counts the rows that are written to some tables from now on. What is rolled back counts for nothing, and neither do
 * the events of logins, which are before what is looked at. Looking at the count is quick, however much the tables hold.
 */
export const watchTables = async (sql: Sql, tables: readonly string[]): Promise<() => Promise<Traces>> => {
  await sql.unsafe(`
    CREATE SCHEMA watched;
    CREATE TABLE watched.writes (id bigserial, name text NOT NULL, PRIMARY KEY (name, id));
    CREATE FUNCTION watched.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        IF TG_TABLE_NAME = 'outbox' AND to_jsonb(coalesce(NEW, OLD)) ->> 'event' LIKE 'login%' THEN RETURN NULL; END IF;
        INSERT INTO watched.writes (name) VALUES (TG_TABLE_NAME);
        RETURN NULL;
      END $$;
    ${tables
      .map(
        (table) => `CREATE TRIGGER watched AFTER INSERT OR UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION watched.note();`,
      )
      .join('\n')}`)
  return async () => {
    const rows = await sql<{ name: string; last: string }[]>`
      SELECT t.name, coalesce(last.id, 0)::text AS last
      FROM unnest(${sql.array([...tables])}::text[]) AS t(name)
      LEFT JOIN LATERAL (
        SELECT id FROM watched.writes w WHERE w.name = t.name ORDER BY id DESC LIMIT 1) last ON true`
    return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
  }
}
