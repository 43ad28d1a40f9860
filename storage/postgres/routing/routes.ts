import { and, count, desc, eq, getTableColumns, lt, sql as text } from 'drizzle-orm'
import type { BriefRoute, RouteStore, StoredRoute } from '../../../core/content/stores/index.js'
import { weightOf } from '../../../core/platform/limits/index.js'
import { documents } from '../../../schema/documents.js'
import { ROUTE_IS_OPEN, routeEscalations, routes } from '../../../schema/routing.js'
import { type Sql, typed } from '../connection/index.js'
import { columnsOf, INTO_OUTBOX, tableOf, type Writer } from '../rows/index.js'
import { readBacklog } from './backlog.js'

/** Whoever follows routes listens here for what was just committed. */
export const ROUTES_CHANNEL = 'archivolt_routes'

/** Followed at once; the rest is found by the next look. */
const MAX_UNFOLLOWED = 1_000

/** Routes, or escalations, of one list. */
const MAX_LISTED = 1_000

const routeOf = ({ revision: _, followed: __, ...row }: typeof routes.$inferSelect): StoredRoute =>
  row as StoredRoute

const ROUTES = tableOf(routes)
const ROUTE = columnsOf(routes)
const selected = (keys: readonly (keyof typeof ROUTE)[]): string =>
  keys.map((key) => `${ROUTE[key]} AS "${key}"`).join(', ')

const ALL_COLUMNS = selected(Object.keys(getTableColumns(routes)) as (keyof typeof ROUTE)[])

const BRIEF_COLUMNS = selected(['id', 'modelId', 'initiator', 'parentId', 'model'])

const SELECT_BY_ID = `SELECT ${ALL_COLUMNS} FROM ${ROUTES} WHERE ${ROUTE.id} = $1`

const byIds = (columns: string): string =>
  `SELECT ${columns} FROM ${ROUTES} WHERE ${ROUTE.id} = ANY($1::uuid[])`

const SELECT_BY_IDS = byIds(ALL_COLUMNS)

const SELECT_BRIEFLY_BY_IDS = byIds(BRIEF_COLUMNS)

const INSERT = `
  INSERT INTO ${ROUTES} (
    ${ROUTE.id}, ${ROUTE.modelId}, ${ROUTE.initiator}, ${ROUTE.status}, ${ROUTE.model}, ${ROUTE.state},
    ${ROUTE.documentIds}, ${ROUTE.parentId}, ${ROUTE.parentNode}, ${ROUTE.startedAt}, ${ROUTE.endedAt})
  VALUES ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7::jsonb, $8, $9, $10, $11)`

const DOCUMENT = columnsOf(documents, 'd')

const ABANDONED = `
  SELECT ${ROUTE.id} AS id, ${ROUTE.status} AS status FROM ${ROUTES}
  WHERE jsonb_array_length(${ROUTE.documentIds}) > 0 AND ${ROUTE.followed} >= ${ROUTE.revision}
    AND ($1::uuid IS NULL OR ${ROUTE.id} > $1::uuid)
    AND NOT EXISTS (
      SELECT FROM jsonb_array_elements_text(${ROUTE.documentIds}) AS about(document)
      JOIN ${tableOf(documents)} d
        ON ${DOCUMENT.id} = CASE WHEN about.document ~ '^[0-9a-fA-F-]{36}$' THEN about.document::uuid END)
  ORDER BY ${ROUTE.id} LIMIT $2`

/** A move of a route, the events of it and the notification of its followers. */
const SAVE = `
  WITH saved AS (
    UPDATE ${ROUTES} SET
      ${ROUTE.status} = $2, ${ROUTE.state} = $3::jsonb, ${ROUTE.documentIds} = $4::jsonb, ${ROUTE.endedAt} = $5,
      ${ROUTE.revision} = ${ROUTE.revision} + 1,
      ${ROUTE.followed} = CASE WHEN $6::boolean THEN ${ROUTE.revision} + 1 ELSE ${ROUTE.followed} END
    WHERE ${ROUTE.id} = $1
  ), emitted AS (
    INSERT INTO ${INTO_OUTBOX}
    SELECT e.event, e."documentId"::uuid, $7::text, e.payload
    FROM jsonb_to_recordset($8::jsonb) AS e(event text, "documentId" text, payload jsonb)
  )
  SELECT CASE WHEN NOT $6::boolean THEN pg_notify('${ROUTES_CHANNEL}', '') END`

/** Routes beside their documents. What each move sends is prepared; Drizzle builds the rest. */
export const createRoutes = (sql: Sql, { principal, writes }: Writer): RouteStore => {
  const db = typed(sql)
  return {
    insert: async (route) => {
      const { id, modelId, initiator, status, model, state, documentIds } = route
      const { parentId, parentNode, startedAt, endedAt } = route
      await writes?.spend(weightOf(model) + weightOf(state))
      await sql.unsafe(
        INSERT,
        [
          ...[id, modelId, initiator, status, model, state, [...documentIds]],
          ...[parentId, parentNode, startedAt, endedAt],
        ] as never[],
        { prepare: true },
      )
    },

    get: async (id, { hold } = { hold: false }) => {
      const statement = hold ? `${SELECT_BY_ID} FOR UPDATE` : SELECT_BY_ID
      const [row] = await sql.unsafe<(typeof routes.$inferSelect)[]>(statement, [id], { prepare: true })
      return row && routeOf(row)
    },

    getMany: async (ids) => {
      if (ids.length === 0) return []
      const rows = await sql.unsafe<(typeof routes.$inferSelect)[]>(SELECT_BY_IDS, [[...ids]], {
        prepare: true,
      })
      return rows.map(routeOf)
    },

    briefly: async (ids) =>
      ids.length === 0
        ? []
        : [...(await sql.unsafe<BriefRoute[]>(SELECT_BRIEFLY_BY_IDS, [[...ids]], { prepare: true }))],

    running: async ({ modelId, isUnfollowed = false, after, limit }) => {
      const statement = `
        SELECT ${ALL_COLUMNS} FROM ${ROUTES}
        WHERE ${ROUTE.status} = 'running' AND ${ROUTE.modelId} = coalesce($1::text, ${ROUTE.modelId})
          AND (NOT $2::boolean OR ${ROUTE.followed} < ${ROUTE.revision})
          AND ($3::uuid IS NULL OR (${ROUTE.startedAt}, ${ROUTE.id}) > (
            SELECT last.started_at, last.id FROM ${ROUTES} last WHERE last.id = $3::uuid))
        ORDER BY ${ROUTE.startedAt}, ${ROUTE.id} LIMIT $4`
      const values = [modelId ?? null, isUnfollowed, after ?? null, limit]
      return (await sql.unsafe<(typeof routes.$inferSelect)[]>(statement, values)).map(routeOf)
    },

    backlog: ({ now }) => readBacklog(sql, now),

    countOpen: async ({ initiator, most }) => {
      const own = initiator === undefined ? undefined : eq(routes.initiator, initiator)
      const open = db
        .select({ id: routes.id })
        .from(routes)
        .where(and(ROUTE_IS_OPEN, own))
        .limit(most)
        .as('open')
      const [row] = await db.select({ open: count() }).from(open)
      return row?.open ?? 0
    },

    save: async ({ id, status, state, documentIds, endedAt }, { isFollowed = false, events = [] } = {}) => {
      await writes?.spend(weightOf(state) + weightOf(events))
      const values = [id, status, state, [...documentIds], endedAt, isFollowed, principal.name, events]
      await sql.unsafe(SAVE, values as never[], { prepare: true })
    },

    setModel: async (id, model) => {
      await db.update(routes).set({ model }).where(eq(routes.id, id))
    },

    unfollowed: () =>
      db
        .select({
          id: routes.id,
          modelId: routes.modelId,
          initiator: routes.initiator,
          revision: routes.revision,
        })
        .from(routes)
        .where(lt(routes.followed, routes.revision))
        .limit(MAX_UNFOLLOWED),

    follow: async (id, revision) => {
      const followed = revision ?? text`${routes.revision}`
      await db.update(routes).set({ followed }).where(eq(routes.id, id))
    },

    abandoned: async ({ after, limit }) => [
      ...(await sql.unsafe<Pick<StoredRoute, 'id' | 'status'>[]>(ABANDONED, [after ?? null, limit])),
    ],

    recordEscalation: async (routeId, escalation) => {
      await db.insert(routeEscalations).values({ routeId, ...escalation })
    },

    escalations: (routeId) => {
      const { node, rule, error, executedAt, id } = routeEscalations
      return db
        .select({ node, rule, error, executedAt })
        .from(routeEscalations)
        .where(eq(routeEscalations.routeId, routeId))
        .orderBy(desc(id))
        .limit(MAX_LISTED)
    },
  }
}
