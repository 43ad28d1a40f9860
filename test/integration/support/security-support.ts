import { expect } from 'vitest'
import { type Ace, SYSTEM } from '../../../core/access/security/index.js'
import { getDocument, setAcls } from '../../../core/content/documents/index.js'
import { createTestService } from './bad-input-support.js'
import { type Answer, addUser, type Entity } from './rest-client.js'

export const API = '/api/v1'
export const AUTOMATION = `${API}/automation`
export const WORKSPACES = '/default-domain/workspaces'
/** Hidden from the stranger. */
export const CLOSED = `${WORKSPACES}/closed`
/** Everybody may write in it. */
export const OPEN = `${WORKSPACES}/open`

/** In the order of every row of statuses: without rights, with Read, with Write, with Everything, administrator. */
export const USERS = ['stranger', 'reader', 'writer', 'boss', 'Administrator'] as const
export type User = (typeof USERS)[number]

export const grant = (username: string, permission: string, more: Partial<Ace> = {}): Ace => ({
  username,
  permission,
  granted: true,
  ...more,
})

export const NOBODY_ELSE: Ace = { username: 'Everyone', permission: 'Everything', granted: false }

const CHAINS = {
  retitle: '- Context.FetchDocument\n- Document.SetProperty: {xpath: "dc:title", value: changed}\n',
  retitleAll:
    '- Context.FetchDocument\n- Context.SetInputAsVar: {name: all}\n- RunOperationOnListInNewTx: {id: retitle, list: all}\n',
}

/** The product with a user for each column of the matrix, a folder that one of them may not see, and an open one. */
export const createSecurityBench = async () => {
  const service = await createTestService()
  const { platform, call, deploy } = service

  const protect = (ref: string, aces: readonly Ace[]): Promise<unknown> =>
    platform.withSession(SYSTEM, async (session) =>
      setAcls(session, await getDocument(session, ref), [{ name: 'local', aces }]),
    )

  const make = async (
    parent: string,
    name: string,
    type = 'File',
    more: { [property: string]: unknown } = {},
  ): Promise<Entity> => {
    const properties = {
      'dc:title': `${parent}/`.startsWith(`${OPEN}/`) ? 'plain title' : 'secret title',
      ...(type === 'File' && { 'file:content': { name: 's.txt', data: 'secret bytes' } }),
      ...more,
    }
    const json = { 'entity-type': 'document', name, type, properties }
    const answer = await call('POST', `${API}/path${parent}`, { json })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.json
  }

  let count = 0
  const next = (name: string): string => `${name}${count++}`

  /** A new document in the closed folder; a folder has a child. */
  const fresh = async (
    type: 'File' | 'Folder' | 'SavedSearch' = 'File',
    more: { [property: string]: unknown } = {},
  ): Promise<Entity> => {
    const document = await make(CLOSED, next('d'), type, more)
    if (type === 'Folder') await make(document.path, 'child')
    return document
  }

  for (const user of USERS) if (user !== 'Administrator') await addUser(platform, user)
  await make(WORKSPACES, 'closed', 'Folder')
  await make(WORKSPACES, 'open', 'Folder', { 'dc:title': 'plain title' })
  await make(OPEN, 'collection', 'Collection')
  await protect(CLOSED, [
    grant('reader', 'Read'),
    grant('writer', 'ReadWrite'),
    grant('boss', 'Everything'),
    NOBODY_ELSE,
  ])
  await protect(OPEN, [grant('Everyone', 'ReadWrite'), NOBODY_ELSE])
  for (const [id, yaml] of Object.entries(CHAINS)) await deploy(id, yaml)

  return { ...service, protect, make, fresh, next }
}

export type SecurityBench = Awaited<ReturnType<typeof createSecurityBench>>

/** Nothing of what is hidden is in an answer. */
export const expectUndisclosed = (answer: Answer): void => {
  expect(answer.text).not.toMatch(/secret|closed/)
}

/** What may differ between two equal answers: when and how they were computed. */
const OF_THE_CALL = ['x-request-id', 'date', 'archivolt-workflow-id', 'server-timing', 'traceparent']

/**
 * An answer, all of it, with the references that the caller sent replaced: those about a document that is hidden and
 * about one that does not exist must be equal.
 */
export const withoutReferences = (
  { status, headers, text }: Answer,
  ...references: readonly string[]
): object => {
  const unnamed = (written: string): string =>
    references
      .flatMap((reference) => [reference, encodeURIComponent(reference)])
      .reduce((result, reference) => result.replaceAll(reference, '<reference>'), written)
  const kept = [...headers].filter(([name]) => !OF_THE_CALL.includes(name))
  return {
    status,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, unnamed(value)])),
    text: unnamed(text),
  }
}
