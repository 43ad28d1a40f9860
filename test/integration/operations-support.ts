import {
  type ChainStep,
  createRegistry,
  runOperation,
  type Value,
  type Variables,
  VOID,
} from '../../core/automation/index.js'
import {
  createDocument,
  type DocumentRecord,
  getDocument,
  type Properties,
} from '../../core/documents/index.js'
import { operations } from '../../core/operations/index.js'
import { type Principal, principalOf } from '../../core/security/index.js'
import { createAutomationRuntime } from '../../storage/platform/index.js'
import { createTestPlatform } from './rest-support.js'

export const ADMINISTRATOR = principalOf('Administrator', ['administrators'], true)
/** May read everything, as every member may, and change nothing. */
export const ANN = principalOf('ann', ['members'], false)
export const STRANGER = principalOf('sam', [], false)

export type Call = {
  input?: Value
  params?: ChainStep['params']
  variables?: Variables
  as?: Principal
}

const userNamed = (username: string) => ({
  username,
  passwordHash: null,
  firstName: null,
  lastName: null,
  email: null,
  company: null,
  isEnabled: true,
})

/** Operations on a repository of their own, called as the API calls them: each in one transaction. */
export const createOperationBench = async (environment: NodeJS.ProcessEnv = {}) => {
  const platform = await createTestPlatform(environment)
  const runtime = await createAutomationRuntime(platform)
  await platform.withSession(ADMINISTRATOR, async ({ identities }) => {
    for (const username of ['ann', 'sam']) await identities.insertUser(userNamed(username))
  })

  const run = async (
    operation: string,
    { input = VOID, params = {}, variables = {}, as = ADMINISTRATOR }: Call = {},
    chains: { [id: string]: readonly ChainStep[] } = {},
  ): Promise<Value> => {
    const definitions = Object.entries(chains).map(([id, steps]) => ({ id, aliases: [], params: [], steps }))
    return runOperation(await runtime.segments(createRegistry(operations, definitions)), {
      principal: as,
      call: { operation, input, params, variables },
      signal: new AbortController().signal,
    })
  }

  return {
    platform,
    close: runtime.close,
    run,
    /** Runs steps one after the other in one transaction; they may call the other chains by name. */
    chain: (
      steps: readonly ChainStep[],
      call: Call = {},
      others: { [id: string]: readonly ChainStep[] } = {},
    ) => run('main', call, { ...others, main: steps }),
    read: (ref: string) => getDocument(platform.readSession(ADMINISTRATOR), ref),
    create: (parent: string, type: string, name: string, properties: Properties = {}) =>
      platform.withSession(ADMINISTRATOR, (session) =>
        createDocument(session, { parent, type, name, properties }),
      ),
  }
}

/** The one document that a value is. */
export const documentOf = (value: Value): DocumentRecord => {
  if (value.type === 'document' && value.record) return value.record
  throw new Error(`Not a document that was read: ${JSON.stringify(value)}`)
}

/** The ids of the documents that a value is. */
export const idsOf = (value: Value): readonly string[] => {
  if (value.type === 'documents') return value.ids
  throw new Error(`Not a list of documents: ${JSON.stringify(value)}`)
}

export const input = ({ id }: { id: string }): Value => ({ type: 'document', id })

export const inputs = (...documents: readonly { id: string }[]): Value => ({
  type: 'documents',
  ids: documents.map(({ id }) => id),
})
