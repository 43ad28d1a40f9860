import postgres from 'postgres'
import { SYSTEM } from '../../core/access/security/index.js'
import { createDocument, type ImportedDocument, importDocuments } from '../../core/content/documents/index.js'
import { alternate, timed } from '../harness/rounds.js'
import type { Measure } from '../harness/types.js'
import { type CopyValue, copyRows } from '../repository/copy.js'
import { openPlatform } from '../repository/fill.js'
import { foldersOf, type Leaf, leavesOf } from '../repository/population.js'

const BATCH = 500

const batchesOf = (leaves: readonly Leaf[]): Leaf[][] =>
  Array.from({ length: Math.ceil(leaves.length / BATCH) }, (_, index) =>
    leaves.slice(index * BATCH, (index + 1) * BATCH),
  )

type Row = { id: string; name: string; leaf: Leaf }

/** Ids and names that no other round has. */
const rowsOf = (leaves: readonly Leaf[], round: number): Row[] =>
  leaves.map((leaf, index) => ({ id: crypto.randomUUID(), name: `${round}-${index}`, leaf }))

/**
 * Importing documents in batches through the core, each a transaction, against COPY of the same rows and events
 * into the same tables, with their indexes and triggers.
 */
export const measureImport: Measure = async ({ servers, isQuick, atEnd }) => {
  const platform = await openPlatform(servers.env)
  const sql = postgres(servers.databaseUrl, { max: 1, onnotice: () => undefined })
  atEnd(async () => {
    await sql.end()
    await platform.close()
  })
  const count = isQuick ? 1_000 : 10_000
  const folders = foldersOf(count * 2, { id: '', path: '' })
  const leaves = folders.flatMap((folder, index) => leavesOf(folder, index)).slice(0, count)
  const folder = await platform.withSession(SYSTEM, (session) =>
    createDocument(session, { parent: '/', name: 'bench-import', type: 'Folder' }),
  )
  const [scope] = await sql<{ scopeId: number }[]>`
    SELECT scope_id AS "scopeId" FROM documents WHERE id = ${folder.id}`
  let round = 0
  const rate = async (work: (rows: Row[]) => Promise<unknown>): Promise<number> => {
    round += 1
    const batches = batchesOf(leaves).map((batch, index) => rowsOf(batch, round * 1_000 + index))
    const time = await timed(async () => {
      for (const batch of batches) await work(batch)
    })
    return (leaves.length * 1_000) / time
  }
  const byImport = (rows: Row[]) =>
    platform.withSession(SYSTEM, (session) =>
      importDocuments(
        session,
        folder.id,
        rows.map(
          ({ name, leaf }) => ({ name, type: leaf.type, properties: leaf.properties }) as ImportedDocument,
        ),
      ),
    )
  const documentRow = ({ id, name, leaf }: Row): CopyValue[] => {
    const path = `/bench-import/${name}`
    return [id, folder.id, name, path, leaf.type, leaf.state, scope?.scopeId ?? 0, leaf.properties]
  }
  const eventRow = ({ id, name, leaf }: Row): CopyValue[] => {
    const payload = {
      type: leaf.type,
      path: `/bench-import/${name}`,
      lifecycleState: leaf.state,
      systemToken: 0,
    }
    return ['documentImported', id, 'system', payload]
  }
  const byCopy = (rows: Row[]) =>
    sql.begin(async (tx) => {
      const columns = 'id, parent_id, name, path, type, lifecycle_state, scope_id, properties'
      await copyRows(tx, `documents (${columns})`, rows.map(documentRow))
      await copyRows(tx, 'outbox (event, document_id, principal, payload)', rows.map(eventRow))
    })
  const rates = await alternate(isQuick ? 1 : 3, { ours: () => rate(byImport), floor: () => rate(byCopy) })
  return [
    { name: `import in batches of ${BATCH}`, unit: '1/s', ...rates, goal: { least: 0.5 } },
    { name: 'import in batches, absolute', unit: '1/s', ours: rates.ours, goal: { least: 1_500 } },
  ]
}
