import { queryDocuments, type Session } from '../../../content/documents/index.js'
import { quoteNxql } from '../../../model/nxql/index.js'
import { loadRoutes, type Route } from '../instances/index.js'

/** What open routes are narrowed by. */
export type RouteFilter = { documentId?: string; initiator?: string; modelId?: string | undefined }

/** Routes that are ready or run, and that a principal may read, by when they were started. */
export const findOpenRoutes = async (
  session: Session,
  { documentId, initiator, modelId }: RouteFilter,
): Promise<Route[]> => {
  const conditions = [
    "ecm:currentLifeCycleState IN ('ready', 'running')",
    'ecm:isVersion = 0',
    ...(documentId === undefined ? [] : [`docri:participatingDocuments/* = ${quoteNxql(documentId)}`]),
    ...(initiator === undefined ? [] : [`docri:initiator = ${quoteNxql(initiator)}`]),
    ...(modelId === undefined ? [] : [`docri:modelId = ${quoteNxql(modelId)}`]),
  ]
  const nxql = `SELECT * FROM DocumentRoute WHERE ${conditions.join(' AND ')} ORDER BY dc:created`
  const { entries } = await queryDocuments(session, nxql)
  const routes = await loadRoutes(
    session,
    entries.map(({ id }) => id),
  )
  return entries.flatMap(({ id }) => routes.get(id) ?? [])
}
