import type postgres from 'postgres'

/** Tables of the floors, with the indexes without which nobody would run them. */
export const createTables = async (sql: postgres.Sql): Promise<void> => {
  await sql`CREATE SCHEMA IF NOT EXISTS floor`
  await sql`CREATE TABLE IF NOT EXISTS floor.documents (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), parent_id uuid, name text NOT NULL, type text NOT NULL,
    token integer NOT NULL DEFAULT 0, properties jsonb NOT NULL)`
  await sql`CREATE UNIQUE INDEX IF NOT EXISTS floor_name ON floor.documents (parent_id, name)`
  await sql`CREATE INDEX IF NOT EXISTS floor_name_alone ON floor.documents (name)`
  await sql`CREATE TABLE IF NOT EXISTS floor.routes (id uuid PRIMARY KEY, state jsonb NOT NULL)`
  await sql`CREATE TABLE IF NOT EXISTS floor.outbox (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, event text NOT NULL, document_id uuid)`
}
