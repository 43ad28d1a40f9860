import { type Principal, principalOf } from '../../../core/access/security/index.js'
import { runOperation } from '../../../core/automation/execution/index.js'
import {
  type ChainStep,
  createRegistry,
  type Value,
  type Variables,
  VOID,
} from '../../../core/automation/language/index.js'
import { operations } from '../../../core/automation/operations/index.js'
import { createDocument, getDocument } from '../../../core/content/documents/index.js'
import { createBlobValue } from '../../../core/files/blobs/index.js'
import type { BlobValue, DocumentRecord, Properties } from '../../../core/model/properties/index.js'
import { type AutomationRuntime, createAutomationRuntime } from '../../../runtime/index.js'
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
  signal?: AbortSignal
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

const WORKSPACES = '/default-domain/workspaces'

export const step = (operation: string, params: ChainStep['params'] = {}): ChainStep => ({
  operation,
  params,
})

/** Deploys contributions, as an administrator, to a runtime. */
export const deployerOf =
  ({ deployments }: Pick<AutomationRuntime, 'deployments'>) =>
  (point: string, name: string, content: object) =>
    deployments.deploy({
      principal: ADMINISTRATOR,
      point,
      name,
      text: JSON.stringify(content),
      format: 'json',
      precondition: {},
    })

/** Operations on a repository of their own, called as the API calls them: each in one transaction. */
export const createOperationBench = async (
  environment: NodeJS.ProcessEnv = {},
  options: Parameters<typeof createTestPlatform>[1] = {},
) => {
  const platform = await createTestPlatform(environment, options)
  const runtime = await createAutomationRuntime(platform)
  await platform.withSession(ADMINISTRATOR, async ({ identities }) => {
    for (const username of ['ann', 'sam']) await identities.insertUser(userNamed(username))
  })

  const run = async (
    operation: string,
    {
      input = VOID,
      params = {},
      variables = {},
      as = ADMINISTRATOR,
      signal = new AbortController().signal,
    }: Call = {},
    chains: { [id: string]: readonly ChainStep[] } = {},
  ): Promise<Value> => {
    const definitions = Object.entries(chains).map(([id, steps]) => ({ id, aliases: [], params: [], steps }))
    return runOperation(await runtime.segments(createRegistry(operations, definitions)), {
      principal: as,
      call: { operation, input, params, variables },
      signal,
    })
  }

  const create = (
    parent: string,
    type: string,
    name: string,
    properties: Properties = {},
  ): Promise<DocumentRecord> =>
    platform.withSession(ADMINISTRATOR, (session) =>
      createDocument(session, { parent, type, name, properties }),
    )

  let made = 0
  const workspace = () => create(WORKSPACES, 'Workspace', `workspace-${made++}`)

  return {
    platform,
    runtime,
    close: runtime.close,
    deployments: runtime.deployments,
    deploy: deployerOf(runtime),
    run,
    /** Runs steps one after the other in one transaction; they may call the other chains by name. */
    chain: (
      steps: readonly ChainStep[],
      call: Call = {},
      others: { [id: string]: readonly ChainStep[] } = {},
    ) => run('main', call, { ...others, main: steps }),
    read: (ref: string) => getDocument(platform.readSession(ADMINISTRATOR), ref),
    create,
    /** A new, empty one. */
    workspace,
    /** A new one with a file that holds nothing and a note that does. */
    filledWorkspace: async () => {
      const folder = await workspace()
      const file = await create(folder.id, 'File', 'file', { 'dc:title': 'A file' })
      const text = { 'note:note': 'Hello', 'note:mime_type': 'text/plain' }
      return { folder, file, note: await create(folder.id, 'Note', 'note', text) }
    },
    /** A new one with a file that has subjects, one of them twice, and a note that is called like the workspace. */
    describedWorkspace: async () => {
      const folder = await workspace()
      const subjects = { 'dc:title': 'A file', 'dc:subjects': ['a', 'b', 'a'] }
      const file = await create(folder.id, 'File', 'file', subjects)
      return { folder, file, note: await create(folder.id, 'Note', 'note', { 'dc:title': folder.name }) }
    },
    storedBlob: async (content: string, name: string | null = 'a.txt'): Promise<BlobValue> =>
      createBlobValue({ stored: await platform.blobs.write(Buffer.from(content)), name }),
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
