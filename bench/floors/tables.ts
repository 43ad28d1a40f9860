import type postgres from 'postgres'

/** Tables of the floors, with the indexes without which nobody would run them. */
export const createTables = async (sql: postgres.Sql): Promise<void> => {
  await sql`CREATE SCHEMA IF NOT EXISTS floor`
  await sql`CREATE TABLE IF NOT EXISTS floor.documents (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), parent_id uuid, name text NOT NULL, type text NOT NULL,
    token integer NOT NULL DEFAULT 0, properties jsonb NOT NULL)`
  await sql`CREATE UNIQUE INDEX IF NOT EXISTS floor_name ON floor.documents (parent_id, name)`
  await sql`CREATE INDEX IF NOT EXISTS floor_name_alone ON floor.documents (name)`
  await sql`CREATE TABLE IF NOT EXISTS floor.entries (
    document_id uuid, position integer, username text NOT NULL, permission text NOT NULL,
    PRIMARY KEY (document_id, position))`
  await sql`CREATE TABLE IF NOT EXISTS floor.scopes (
    document_id uuid PRIMARY KEY, path text NOT NULL UNIQUE, acl jsonb NOT NULL)`
  await sql`CREATE TABLE IF NOT EXISTS floor.routes (
    id uuid PRIMARY KEY, model jsonb, state jsonb NOT NULL, revision integer NOT NULL DEFAULT 0)`
  await sql`CREATE TABLE IF NOT EXISTS floor.receipts (
    workflow_id text, step text, result jsonb NOT NULL, PRIMARY KEY (workflow_id, step))`
  await sql`CREATE TABLE IF NOT EXISTS floor.outbox (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, event text NOT NULL, document_id uuid, payload jsonb)`
}
