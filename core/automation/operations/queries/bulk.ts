import { setTimeout as pause } from 'node:timers/promises'
import { filledIn, type Session } from '../../../content/documents/index.js'
import { narrowed, parseConditions, type Query, quoteNxql } from '../../../model/nxql/index.js'
import type { PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { getPageProvider, providerQuery } from '../../../search/page-providers/index.js'
import { BULK_ACTIONS, bulkStatus, hasEnded } from '../../bulk/index.js'
import { defineOperation, jsonOf, type Operation, type Value, VOID } from '../../language/index.js'
import { jsonIn } from '../shared/json-parameter.js'
import { boundQuery, namedValues } from './bound-query.js'

type Given = {
  query?: string | undefined
  providerName?: string | undefined
  queryParams?: readonly string[] | undefined
  namedParameters?: { [name: string]: PropertyValue } | undefined
  quickFilters?: readonly string[] | undefined
  excludeDocs?: readonly string[] | undefined
}

/** @throws badRequest without a query and a provider. */
const foundBy = (session: Session, given: Given): Query => {
  const { query, providerName, queryParams = [], namedParameters = {}, quickFilters = [] } = given
  if (query)
    return boundQuery({ query, queryParams, namedParameters, sortBy: [], sortOrder: [], caller: session })
  if (!providerName) throw fail('badRequest', 'query: missing, and there is no providerName')
  return providerQuery(session, getPageProvider(session, providerName), {
    queryParams: queryParams.map((value) => filledIn(value, session)),
    named: namedValues(namedParameters, session),
    sort: undefined,
    quickFilters,
  })
}

const queryOf = (session: Session, given: Given): Query => {
  const query = foundBy(session, given)
  const { excludeDocs = [] } = given
  if (excludeDocs.length === 0) return query
  return narrowed(query, [parseConditions(`ecm:uuid NOT IN (${excludeDocs.map(quoteNxql).join(', ')})`)])
}

/** A map, as chains write them, or its text, as clients send it. @throws badRequest for what is neither. */
const parametersIn = (given: Value = VOID): { [name: string]: PropertyValue } => {
  const parameters = given.type === 'string' ? jsonIn('parameters', given.value || '{}') : jsonOf(given)
  if (parameters === null) return {}
  if (typeof parameters === 'object' && !Array.isArray(parameters)) return parameters
  throw fail('badRequest', 'parameters: must be a JSON object')
}

const runAction = defineOperation({
  id: 'Bulk.RunAction',
  label: 'Run a bulk command',
  category: 'Services',
  description:
    'Runs an action over everything that a query or page provider finds, in the background. It starts when the transaction has committed.',
  params: {
    query: { type: 'string', notation: 'nxql', description: 'NXQL; or a page provider.' },
    providerName: { type: 'string', names: 'pageProvider', description: 'The page provider.' },
    queryParams: { type: 'stringlist', description: 'Values for the question marks of the query, in order.' },
    namedParameters: { type: 'properties', description: 'Values for the :names of the query.' },
    quickFilters: { type: 'stringlist', description: 'Quick filters of the provider to apply.' },
    excludeDocs: { type: 'stringlist', description: 'Ids of documents to leave out.' },
    action: { type: 'string', description: 'Name of the action.', isRequired: true, values: BULK_ACTIONS },
    repositoryName: { type: 'string', description: 'The repository of the call, if any.' },
    bucketSize: { type: 'integer', description: 'Documents that a worker takes at once; 1000 when absent.' },
    batchSize: { type: 'integer', description: 'Documents of one transaction; 100 when absent.' },
    parameters: { type: 'object', description: 'Parameters of the action: a map, or its JSON text.' },
    queryLimit: { type: 'integer', description: 'Documents at most, in the order of the query.' },
    documentsPerSecond: { type: 'integer', description: 'Documents in a second at most.' },
  },
  methods: ({ method }) => [
    method('void', 'object', async ({ context: { session, bulk, services }, params: given }) => {
      const { repositoryName, action } = given
      const { bucketSize, batchSize, queryLimit, documentsPerSecond } = given
      if (repositoryName && repositoryName !== session.repository)
        throw fail(
          'badRequest',
          `repositoryName: the call is on ${session.repository}, not ${repositoryName}`,
        )
      const query = queryOf(session, given)
      const id = await bulk.submit({
        action,
        query,
        parameters: parametersIn(given.parameters),
        bucketSize,
        batchSize,
        queryLimit,
        documentsPerSecond,
      })
      services.dryRun?.commands.push(id)
      return { type: 'entity', entityType: 'bulkStatus', value: bulkStatus(await bulk.find(id)) }
    }),
  ],
})

/** Milliseconds between two looks at a command. */
const LOOK_MS = 200

const waitForAction = defineOperation({
  id: 'Bulk.WaitForAction',
  label: 'Wait for Bulk computation',
  category: 'Services',
  description: 'Waits until a bulk command has ended; false when it has not by then.',
  isAdministrative: true,
  isSlow: true,
  params: {
    commandId: {
      type: 'string',
      description: 'Id of the command, as Bulk.RunAction returns it.',
      isRequired: true,
    },
    timeoutSecond: { type: 'long', description: 'Seconds after which it waits no more.', default: 60 },
  },
  methods: ({ method }) => [
    method('void', 'boolean', async ({ context: { bulk, signal }, params: { commandId, timeoutSecond } }) => {
      const end = Date.now() + timeoutSecond * 1_000
      for (;;) {
        const command = await bulk.find(commandId)
        if (command.isUncommitted)
          throw fail('badRequest', `commandId: ${commandId} starts when this transaction has committed`)
        if (hasEnded(command)) return { type: 'boolean', value: true }
        if (Date.now() >= end) return { type: 'boolean', value: false }
        await pause(Math.min(LOOK_MS, Math.max(1, end - Date.now())), undefined, { signal })
      }
    }),
  ],
})

export const bulkOperations: readonly Operation[] = [runAction, waitForAction]
