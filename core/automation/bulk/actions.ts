import type { ContentModel } from '../../model/content-model/index.js'
import { narrowed, parseConditions, type Query } from '../../model/nxql/index.js'
import type { PropertyValue } from '../../model/properties/index.js'
import { fail, isArchivoltError } from '../../platform/errors/index.js'
import { parsePropertiesText } from '../language/index.js'
import { unfitValue, unknownProperty } from '../lint/index.js'

type Parameters = { [name: string]: PropertyValue }

type Called = { target: string; parameters: Parameters }

type BulkAction = {
  /** Only administrators may run it over HTTP. */
  isInternal?: true
  /** What it calls for each document. @throws badRequest naming a parameter that does not fit. */
  called(parameters: Parameters): Called
  /** What it leaves out of every query. */
  only?: string
}

const isMap = (value: PropertyValue | undefined): value is Parameters =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const automation = ({ operationId, parameters = {} }: Parameters): Called => {
  if (typeof operationId !== 'string' || operationId === '')
    throw fail('badRequest', 'operationId: name the operation or chain to run')
  if (parameters !== null && !isMap(parameters))
    throw fail('badRequest', 'parameters: must be a map of the parameters of the operation')
  return { target: operationId, parameters: parameters ?? {} }
}

/** What the reference's action takes beside the properties to set. */
const OPTIONS = new Set(['disableAuditLogger', 'VersioningOption'])

const setProperties = (given: Parameters): Called => {
  const properties = Object.fromEntries(Object.entries(given).filter(([name]) => !OPTIONS.has(name)))
  if (Object.keys(properties).length === 0)
    throw fail('badRequest', 'parameters: name the properties to set, by xpath')
  return { target: 'Document.Update', parameters: { properties } }
}

const trash = ({ value = true }: Parameters): Called => {
  if (!['true', 'false'].includes(String(value))) throw fail('badRequest', 'value: must be true or false')
  return { target: String(value) === 'true' ? 'Document.Trash' : 'Document.Untrash', parameters: {} }
}

const remove = (): Called => ({ target: 'Document.Delete', parameters: {} })

const index = (): Called => ({ target: 'Elasticsearch.Index', parameters: { recursive: false } })

const recomputeViews = (): Called => ({ target: 'Picture.RecomputeViews', parameters: {} })

/** First the one that can be undone and needs no parameters: it is what examples show. */
const ACTIONS = new Map<string, BulkAction>([
  ['trash', { called: trash }],
  ['automation', { called: automation, isInternal: true }],
  ['automationUi', { called: automation }],
  ['setProperties', { called: setProperties }],
  ['removeProxy', { called: remove, only: 'ecm:isProxy = 1' }],
  ['deletion', { called: remove, isInternal: true }],
  ['recomputeViews', { called: recomputeViews, only: "ecm:mixinType = 'Picture'" }],
  ['index', { called: index, isInternal: true }],
])

/** @throws forbidden for an action that only administrators may run; an unknown one is anybody's. */
export const requireMayRun = (name: string, { isAdministrator }: { isAdministrator: boolean }): void => {
  if (ACTIONS.get(name)?.isInternal && !isAdministrator)
    throw fail('forbidden', `Only administrators may run the bulk action '${name}'`)
}

/** Names of all bulk actions. */
export const BULK_ACTIONS: readonly string[] = [...ACTIONS.keys()]

/** Operations that set the same properties of every document: what none can take is known before the first. */
const SETTERS: ReadonlyMap<string, (parameters: Parameters) => Parameters | undefined> = new Map([
  [
    'Document.Update',
    ({ properties }) => {
      if (typeof properties === 'string') return parsePropertiesText(properties, 'properties')
      return isMap(properties) ? properties : undefined
    },
  ],
  [
    'Document.SetProperty',
    ({ xpath, value = null }) => (typeof xpath === 'string' ? { [xpath]: value } : undefined),
  ],
])

/**
 * Looks at what a command sets in each of its documents.
 *
 * @throws badRequest naming a property that no schema has, or whose value it cannot hold.
 */
export const requireSettable = ({ target, parameters }: Called, model: ContentModel): void => {
  const properties = SETTERS.get(target)?.(parameters) ?? {}
  for (const [xpath, value] of Object.entries(properties)) {
    const field = model.resolve(xpath.trim())?.field
    const odd = field ? unfitValue(xpath, field, value) : unknownProperty('property', xpath, { model })
    if (odd) throw fail('badRequest', `properties: ${odd}`)
  }
}

/** Why an action takes no such parameters; undefined when it does, and for one that is unknown. */
export const refusalOfBulk = (name: string, parameters: Parameters): string | undefined => {
  try {
    ACTIONS.get(name)?.called(parameters)
    return undefined
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    return error.message
  }
}

/** What an action calls for each document; undefined for parameters that it does not take, and one that is unknown. */
export const calledByBulk = (name: string, parameters: Parameters): Called | undefined =>
  refusalOfBulk(name, parameters) === undefined ? ACTIONS.get(name)?.called(parameters) : undefined

/**
 * What an action comes to: the call for each document, and the query of those that it concerns (reference: automation.md §11).
 *
 * @throws notFound for an unknown action, forbidden for one that only administrators may run, badRequest for
 * parameters that do not fit.
 */
export const bulkAction = (
  name: string,
  { isAdministrator, parameters, query }: { isAdministrator: boolean; parameters: Parameters; query: Query },
): Called & { query: Query } => {
  const action = ACTIONS.get(name)
  if (!action) throw fail('notFound', `No bulk action '${name}': there are ${BULK_ACTIONS.join(', ')}`)
  requireMayRun(name, { isAdministrator })
  const { only } = action
  return {
    ...action.called(parameters),
    query: only === undefined ? query : narrowed(query, [parseConditions(only)]),
  }
}
