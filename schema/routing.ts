import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, serial, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { writtenAt } from './columns.js'
import { documents } from './documents.js'

/** Of an index, too: a query asks it in these words. */
export const ROUTE_IS_OPEN = sql`status IN ('ready', 'running')`

/**
 * Routes: document workflows that were started. A route is a document of type `DocumentRoute`, by which clients find
 * it, and this row, which is what it stands on: its model as it was when it started, and the state of its graph.
 */
export const routes = pgTable(
  'routes',
  {
    id: uuid('id')
      .primaryKey()
      .references(() => documents.id, { onDelete: 'cascade' }),
    modelId: text('model_id').notNull(),
    initiator: text('initiator').notNull(),
    /** `ready`, `running`, `done` or `canceled`. */
    status: text('status').notNull(),
    model: jsonb('model').notNull(),
    state: jsonb('state').notNull(),
    /** Ids of the documents that it is about. */
    documentIds: jsonb('document_ids').notNull(),
    /** The route and its node whose sub-workflow it is. */
    parentId: uuid('parent_id'),
    parentNode: text('parent_node'),
    /** Grows with each change; `followed` is what its workflow in Temporal has seen of it. */
    revision: integer('revision').notNull().default(0),
    followed: integer('followed').notNull().default(-1),
    startedAt: timestamp('started_at', { withTimezone: true }).notNull(),
    endedAt: timestamp('ended_at', { withTimezone: true }),
  },
  (t) => [
    index('routes_unfollowed').on(t.id).where(sql`followed < revision`),
    index('routes_running').on(t.startedAt).where(sql`status = 'running'`),
    index('routes_open').on(t.initiator).where(ROUTE_IS_OPEN),
  ],
)

/** Executions of escalation rules, in order. */
export const routeEscalations = pgTable(
  'route_escalations',
  {
    id: serial('id').primaryKey(),
    routeId: uuid('route_id')
      .notNull()
      .references(() => routes.id, { onDelete: 'cascade' }),
    node: text('node').notNull(),
    rule: text('rule').notNull(),
    /** Null: it has done what it says. */
    error: text('error'),
    executedAt: writtenAt('executed_at'),
  },
  (t) => [index('route_escalations_route').on(t.routeId)],
)
