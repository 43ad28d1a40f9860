import { and, asc, count, desc, eq, inArray, lt, sql as text } from 'drizzle-orm'
import type { RouteStore, StoredRoute } from '../../../core/content/stores/index.js'
import { ROUTE_IS_OPEN, routeEscalations, routes } from '../../../schema/routing.js'
import { type Sql, typed } from '../connection/index.js'

/** Whoever follows routes listens here for what was just committed. */
export const ROUTES_CHANNEL = 'archivolt_routes'

/** Followed at once; the rest is found by the next look. */
const MAX_UNFOLLOWED = 1_000

/** Routes, or escalations, of one list. */
const MAX_LISTED = 1_000

const routeOf = ({ revision: _, followed: __, ...row }: typeof routes.$inferSelect): StoredRoute =>
  row as StoredRoute

/** Routes beside their documents. */
export const createRoutes = (sql: Sql): RouteStore => {
  const db = typed(sql)
  const notify = () => sql`SELECT pg_notify(${ROUTES_CHANNEL}, '')`
  return {
    insert: async (route) => {
      await db.insert(routes).values({ ...route, documentIds: [...route.documentIds] })
      await notify()
    },

    get: async (id, { hold } = { hold: false }) => {
      const found = db.select().from(routes).where(eq(routes.id, id))
      const [row] = await (hold ? found.for('update') : found)
      return row && routeOf(row)
    },

    getMany: async (ids) => {
      if (ids.length === 0) return []
      const rows = await db
        .select()
        .from(routes)
        .where(inArray(routes.id, [...ids]))
      return rows.map(routeOf)
    },

    running: async () => {
      const rows = await db
        .select()
        .from(routes)
        .where(eq(routes.status, 'running'))
        .orderBy(asc(routes.startedAt))
        .limit(MAX_LISTED)
      return rows.map(routeOf)
    },

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

    save: async ({ id, status, state, documentIds, endedAt }) => {
      await db
        .update(routes)
        .set({
          ...{ status, state, endedAt, documentIds: [...documentIds] },
          revision: text`${routes.revision} + 1`,
        })
        .where(eq(routes.id, id))
      await notify()
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
