import { ROUTE_MANAGERS } from '../../../access/identity/index.js'
import type { Ace } from '../../../access/security/index.js'
import {
  createDocument,
  ensureChild,
  getDocument,
  privileged,
  requirePermission,
  type Session,
  setFirstAcls,
} from '../../../content/documents/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { suggestion } from '../../../platform/contributions/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { OperationContext } from '../../language/index.js'
import { newState } from '../graph/index.js'
import {
  callersVariables,
  givenVariables,
  type RouteModel,
  routesPoint,
  type Variables,
} from '../model/index.js'
import { ensureClosedFolder, firstLacking, requireFew } from '../tasks/index.js'
import { type Route, routeName, storedRoute } from './instance.js'
import { isRunnableOn } from './runnable.js'
import { allSetters } from './setters.js'

/** Seconds. */
const LATER = { retryAfter: 60 }

export type RouteToStart = {
  /** Of a caller that must know it before. */
  id?: string
  modelId: string
  /** In place of the one that is deployed under that name. */
  model?: RouteModel
  /** Or paths. */
  documentIds: readonly string[]
  variables?: Variables
  /** The route and its node whose sub-workflow it is. */
  parent?: { route: Route; node: string }
}

/** The model of a name. @throws notFound, with what it is probably a typo of. */
export const getRouteModel = (
  { contributions }: Pick<Session, 'contributions'>,
  modelId: string,
): RouteModel => {
  const models = contributions.get(routesPoint)
  const model = models.get(modelId)
  if (!model)
    throw fail('notFound', `No route found with id: ${modelId}${suggestion(modelId, models.keys())}`)
  return model
}

const ROUTES = 'document-route-instances-root'

/** The folder of a day, below which routes are kept. */
const folderOf = async (session: Session): Promise<DocumentRecord> => {
  const date = session.now.toISOString().slice(0, 10).split('-')
  // All but the first start of a day find it at once.
  const known = await session.stores.documents.get(`/${ROUTES}/${date.join('/')}`)
  if (known) return known
  const manage: Ace = { username: ROUTE_MANAGERS, permission: 'ReadWrite', granted: true }
  const type = 'DocumentRouteInstancesRoot'
  let folder = await ensureClosedFolder(session, { name: ROUTES, type, aces: [manage] })
  for (const name of date) {
    const properties = { 'dc:title': name }
    const wanted = { parent: folder, name, type: 'HiddenFolder', properties }
    folder = (await ensureChild(session, wanted)).document
  }
  return folder
}

const createInstance = async (
  session: Session,
  { id, modelId, model, documentIds, parent }: RouteToStart & { model: RouteModel },
): Promise<DocumentRecord> => {
  const inside = privileged(session)
  const { name: initiator } = session.principal
  const created = await createDocument(inside, {
    parent: await folderOf(inside),
    name: routeName(modelId, session.now),
    type: 'DocumentRoute',
    ...(id !== undefined && { id }),
    properties: {
      'dc:title': model.title || modelId,
      'docri:initiator': initiator,
      'docri:modelId': modelId,
      'docri:participatingDocuments': [...documentIds],
      'docri:availabilityFilter': model.availabilityFilter ?? null,
      'docri:parentRouteInstanceId': parent?.route.id ?? null,
      'docri:parentRouteNodeId': parent?.node ?? null,
    },
  })
  return setFirstAcls(inside, created, [
    { name: 'routing', aces: [{ username: initiator, permission: 'Read', granted: true }] },
  ])
}

/**
 * @param documentIds or paths.
 * @returns the ids.
 * @throws badRequest for documents on which the model may not be started, forbidden where a policy denies a part of what it
 * asks; what reading the others throws.
 */
const requireAvailable = async (
  session: Session,
  { modelId, model, documentIds }: Pick<Route, 'modelId' | 'model' | 'documentIds'>,
): Promise<string[]> => {
  const ids: string[] = []
  for (const id of documentIds) {
    const document = await getDocument(session, id)
    const { permission } = model
    await requirePermission(session, document, permission)
    if (await firstLacking(session, [document], { permission, isApart: false }))
      throw fail('forbidden', `attachedDocumentIds: ${modelId} needs all of ${permission} on ${id}`)
    if (!(await isRunnableOn(session, model, document)))
      throw fail(
        'badRequest',
        `attachedDocumentIds: ${modelId} cannot be started on ${id}: its availabilityFilter refuses the document`,
      )
    ids.push(document.id)
  }
  return ids
}

/**
 * Workflows that nobody ends would grow without end. Two that start at the same moment may both be the last one.
 *
 * @throws tooManyRequests for all but administrators.
 */
const requireRoom = async ({ session, services }: OperationContext): Promise<void> => {
  const { isAdministrator, name: initiator } = session.principal
  const { each, all } = services.limits.openWorkflows
  if (isAdministrator) return
  const { routes } = session.stores
  if ((await routes.countOpen({ initiator, most: each })) >= each)
    throw fail('tooManyRequests', `User ${initiator} has ${each} open workflows, which is the maximum`, LATER)
  if ((await routes.countOpen({ most: all })) >= all)
    throw fail('tooManyRequests', `There are ${all} open workflows, which is the maximum`, LATER)
}

/**
 * Creates a route with a copy of its model; nothing of it has run.
 *
 * @param context of who starts it, and becomes its initiator.
 * @returns it, to be saved, with its document.
 * @throws notFound for an unknown model or document; badRequest for variables that do not fit, and documents on which
 * the model may not be started; tooManyRequests as `requireRoom`.
 */
export const createRoute = async (
  context: OperationContext,
  wanted: RouteToStart,
): Promise<{ route: Route; document: DocumentRecord }> => {
  const { session } = context
  const { modelId, documentIds, variables = {}, parent } = wanted
  const model = wanted.model ?? getRouteModel(session, modelId)
  const state = newState(model)
  // The model of a whole may set what callers may not.
  const taken = parent ? givenVariables : callersVariables
  Object.assign(state.variables, taken(model.variables, variables))
  if (parent) state.choosers = allSetters(parent.route)
  const draft: Route = {
    id: '',
    modelId,
    initiator: session.principal.name,
    status: 'ready',
    documentIds: [...documentIds],
    parentId: parent?.route.id ?? null,
    parentNode: parent?.node ?? null,
    startedAt: session.now,
    endedAt: null,
    name: routeName(modelId, session.now),
    model,
    state,
    events: [],
    created: new Map(),
  }
  requireFew('attachedDocumentIds', documentIds)
  await requireRoom(context)
  const attached = await requireAvailable(session, draft)
  const document = await createInstance(session, { ...wanted, model, documentIds: attached })
  const route = { ...draft, id: document.id, documentIds: attached }
  await session.stores.routes.insert(storedRoute(route))
  return { route, document }
}
