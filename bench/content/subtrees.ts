import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { SYSTEM } from '../../core/access/security/index.js'
import {
  createDocument,
  getDocument,
  moveDocument,
  type Session,
} from '../../core/content/documents/index.js'
import { trashDocument, untrashDocument } from '../../core/content/trash/index.js'
import type { DocumentRecord } from '../../core/model/properties/index.js'
import { documentsOr } from '../harness/documents.js'
import { median } from '../harness/rounds.js'
import type { Figure, Measure } from '../harness/types.js'
import { processorMs } from '../harness/usage.js'
import { type CopyValue, copyRows } from '../repository/copy.js'
import { openPlatform } from '../repository/fill.js'
import { type Folder, foldersOf, leavesOf } from '../repository/population.js'

/** Documents of a folder, and the goal of the subtree as a whole, documents a second. */
const FOLDER = 500
const GOAL = 20_000

/** Documents a second. */
type Rate = { processor: number; clock: number }

const COLUMNS = 'id, parent_id, name, path, type, lifecycle_state, scope_id, properties'
/** Folders of 500 with generated documents, below a root. */
function* rowsBelow(root: DocumentRecord, scopeId: number, count: number): Generator<CopyValue[]> {
  const generated = foldersOf(count * 2, { id: '', path: '' })
  let folder: Pick<Folder, 'id' | 'path'> | undefined
  for (let index = 0, made = 0; made < count; index++)
    for (const { type, state, properties } of leavesOf(generated[index % generated.length]!, index)) {
      if (made % FOLDER === 0) {
        const name = `folder-${made / FOLDER}`
        folder = { id: randomUUID(), path: `${root.path}/${name}` }
        yield [folder.id, root.id, name, folder.path, 'Folder', 'project', scopeId, { 'dc:title': name }]
      }
      if (!folder || made === count) return
      const name = `document-${made++}`
      yield [randomUUID(), folder.id, name, `${folder.path}/${name}`, type, state, scopeId, properties]
    }
}

/** Moving, trashing and restoring a large subtree: documents a second, of Postgres's processor time and of the clock. */
export const measureSubtrees: Measure = async ({ servers, isQuick, atEnd }) => {
  const platform = await openPlatform(servers.env)
  const sql = postgres(servers.databaseUrl, { max: 1, onnotice: () => undefined })
  atEnd(async () => {
    await sql.end()
    await platform.close()
  })
  const count = documentsOr(isQuick ? 20_000 : 200_000)
  const folder = (parent: string, name: string) =>
    platform.withSession(SYSTEM, (session) => createDocument(session, { parent, name, type: 'Folder' }))
  const places = [await folder('/', 'bench-subtrees'), await folder('/', 'bench-subtrees-moved')]
  const root = await folder('/bench-subtrees', 'root')
  const [scope] = await sql<{ scopeId: number }[]>`
    SELECT scope_id AS "scopeId" FROM documents WHERE id = ${root.id}`
  await copyRows(sql, `documents (${COLUMNS})`, rowsBelow(root, scope?.scopeId ?? 0, count))

  const rate = async (
    change: (session: Session, document: DocumentRecord) => Promise<unknown>,
  ): Promise<Rate> => {
    // What the last change has left behind is not part of this one.
    await sql`VACUUM ANALYZE documents`
    const begunAt = performance.now()
    const seconds = await platform.withSession(SYSTEM, async (session, tx) => {
      const [server] = await tx<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
      const before = processorMs(server?.pid ?? 0)
      await change(session, await getDocument(session, root.id))
      return (processorMs(server?.pid ?? 0) - before) / 1000
    })
    // The commit as well.
    const elapsed = (performance.now() - begunAt) / 1000
    return { processor: count / seconds, clock: count / elapsed }
  }

  const rates: { [name: string]: Rate[] } = { move: [], trash: [], restore: [] }
  for (let round = 0; round < (isQuick ? 1 : 3); round++) {
    const target = places[(round + 1) % places.length]?.id ?? ''
    rates.move?.push(await rate((session, document) => moveDocument(session, document, { target })))
    rates.trash?.push(await rate(trashDocument))
    rates.restore?.push(await rate(untrashDocument))
  }
  return Object.entries(rates).flatMap(([name, values]): Figure[] => {
    const { unit, goal } = { unit: '1/s', goal: { least: GOAL } }
    const of = (part: keyof Rate) => median(values.map((value) => value[part]))
    return [
      {
        name: `${name} of ${count} documents, for each second of Postgres's processor time`,
        ...{ unit, goal, ours: of('processor') },
      },
      { name: `${name} of ${count} documents, by the clock`, unit, goal, ours: of('clock') },
    ]
  })
}
