import { afterAll } from 'vitest'
import { type Session, setAcls } from '../../../core/content/documents/index.js'
import { ADMINISTRATOR, createOperationBench } from './operations-support.js'

type Bench = Awaited<ReturnType<typeof createOperationBench>>

/** One event as the outbox keeps it. */
export type RecordedEvent = {
  event: string
  documentId: string
  principal: string
  payload: Record<string, unknown>
}

/** What tests of the repository need beside the operations. */
export const documentTools = ({ platform }: Pick<Bench, 'platform'>) => {
  const as = <Result>(
    work: (session: Session) => Promise<Result>,
    principal = ADMINISTRATOR,
  ): Promise<Result> => platform.withSession(principal, work)

  const { sql } = platform.database
  return {
    as,
    sql,
    /** Gives a user permissions on a document and below, beside what is inherited. */
    grant: (id: string, username: string, permissions: readonly string[], isBlocked = false) =>
      as(async (session) => {
        const document = await session.stores.documents.get(id)
        const granted = permissions.map((permission) => ({ username, permission, granted: true }))
        const block = { username: 'Everyone', permission: 'Everything', granted: false }
        await setAcls(session, document!, [
          { name: 'local', aces: isBlocked ? [...granted, block] : granted },
        ])
      }),
    /** Events written since the last call, in order. */
    events: (() => {
      let last = 0
      return async (): Promise<RecordedEvent[]> => {
        const rows = await sql<(RecordedEvent & { id: number })[]>`
          SELECT id::int, event, document_id AS "documentId", principal, payload
          FROM outbox WHERE id > ${last} ORDER BY id`
        last = rows.at(-1)?.id ?? last
        return rows.map(({ event, documentId, principal, payload }) => ({
          event,
          documentId,
          principal,
          payload,
        }))
      }
    })(),
  }
}

export const namesOf = (events: readonly RecordedEvent[]): string[] => events.map(({ event }) => event)

/**
 * Operations and tools on a repository of their own, closed after the file's tests; call it at the top level.
 *
 * @param name begins the names of what `workspace` makes.
 */
export const createDocumentBench = async (name: string) => {
  const bench = await createOperationBench()
  afterAll(bench.close)
  let count = 0
  return {
    ...bench,
    ...documentTools(bench),
    /** A new workspace, in which one test is alone. */
    workspace: () => bench.create('/default-domain/workspaces', 'Workspace', `${name}-${count++}`),
    /** A new section of the same name. */
    section: () => bench.create('/default-domain/sections', 'Section', `${name}-${count++}`),
  }
}
