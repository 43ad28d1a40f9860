import { afterAll, expect } from 'vitest'
import { type Ace, principalOf } from '../../../core/access/security/index.js'
import { getDocument, setAcls } from '../../../core/content/documents/index.js'
import type { Platform } from '../../../runtime/index.js'
import { ADMINISTRATOR, createOperationBench } from './operations-support.js'
import { createClient } from './rest-client.js'

export const WORKSPACES = '/default-domain/workspaces'
/** May read the documents of the tests, as every member may. */
export const READER = principalOf('rita', ['members'], false)
/** May write them. */
export const WRITER = principalOf('will', ['members', 'writers'], false)
/** Holds everything on them without being an administrator. */
export const OWNER = principalOf('olga', ['members'], false)
/** May not see them. */
export const NOBODY = principalOf('nick', [], false)

export const grant = (username: string, permission: string): Ace => ({ username, permission, granted: true })

/** Who may do what on the folder that the tests work in. */
export const ACES: readonly Ace[] = [grant('writers', 'ReadWrite'), grant('olga', 'Everything')]

export const setAces = (platform: Platform, ref: string, aces: readonly Ace[]) =>
  platform.withSession(ADMINISTRATOR, async (session) =>
    setAcls(session, await getDocument(session, ref), [{ name: 'local', aces }]),
  )

/** The events of a document as they stand in the outbox, oldest first. */
export const eventsOf = (platform: Platform, documentId: string) =>
  platform.database.sql<{ event: string; principal: string; payload: Record<string, unknown> }[]>`
    SELECT event, principal, payload FROM outbox WHERE document_id = ${documentId} ORDER BY id`

export const refused = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

/**
 * Operations and calls on a repository of their own, closed after the file's tests; call it at the top level.
 *
 * @param name begins the names of the folders.
 */
export const createCollaborationBench = async (name: string) => {
  const bench = await createOperationBench()
  afterAll(bench.close)
  let count = 0
  return {
    ...bench,
    call: createClient(bench.platform),
    /** A new folder with `ACES` or others, in which one test is alone. */
    folder: async (aces: readonly Ace[] = ACES) => {
      const folder = await bench.create(WORKSPACES, 'Folder', `${name}-${count++}`)
      await setAces(bench.platform, folder.id, aces)
      return folder
    },
    section: () => bench.create('/default-domain/sections', 'Section', `${name}-${count++}`),
  }
}
