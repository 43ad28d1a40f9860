import type { RouteBacklog } from '../../../core/content/stores/index.js'
import { documents } from '../../../schema/documents.js'
import { routes } from '../../../schema/routing.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const MAX_LISTED = 1_000

const d = columnsOf(documents, 'd')
const r = columnsOf(routes, 'r')
const DOCUMENTS = tableOf(documents)
const ROUTES = tableOf(routes)

/** Due dates are texts that sort as dates do (ISO 8601 in UTC). */
const counts = (sql: Sql, now: Date) => named(sql)`
  count(*)::int AS open,
  (count(*) FILTER (WHERE task.due < ${now.toISOString()}))::int AS overdue,
  min(task.due) AS "earliestDue"`

/** The tasks of routes that run, as the states of the routes name them: each is one look by key. */
const openTasks = (sql: Sql) => named(sql)`
  SELECT ${r.modelId} AS "modelId", node.key AS node, ${d.properties} ->> 'nt:dueDate' AS due,
    coalesce(${d.properties} -> 'nt:actors', '[]') || coalesce(${d.properties} -> 'nt:delegatedActors', '[]') AS actors
  FROM ${ROUTES} r, jsonb_each(${r.state} -> 'nodes') AS node, jsonb_array_elements(node.value -> 'tasks') AS info
  JOIN ${DOCUMENTS} d ON ${d.id} = (info ->> 'taskId')::uuid
  WHERE ${r.status} = 'running' AND NOT (info ->> 'ended')::boolean`

/** What waits in routes that run. */
export const readBacklog = async (sql: Sql, now: Date): Promise<RouteBacklog> => {
  const byNode = await named(sql)<RouteBacklog['byNode']>`
    SELECT task."modelId", task.node, ${counts(sql, now)} FROM (${openTasks(sql)}) task
    GROUP BY task."modelId", task.node ORDER BY count(*) DESC, task."modelId", task.node LIMIT ${MAX_LISTED}`
  const byAssignee = await named(sql)<RouteBacklog['byAssignee']>`
    SELECT regexp_replace(actor, '^user:', '') AS assignee, ${counts(sql, now)}
    FROM (${openTasks(sql)}) task, jsonb_array_elements_text(task.actors) AS actor
    GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${MAX_LISTED}`
  const [row] = await named(sql)<{ unfollowed: number }[]>`
    SELECT count(*)::int AS unfollowed FROM ${ROUTES} r WHERE ${r.followed} < ${r.revision}`
  return { byNode: [...byNode], byAssignee: [...byAssignee], unfollowed: row?.unfollowed ?? 0 }
}
