import { EXIT, type ExitCode } from '../failures/index.js'
import type { Watch } from '../runs/index.js'
import { indexDriftEntity, indexFailuresEntity, indexingEntity } from '../server/index.js'
import { showTable, tableOf } from '../terminal/index.js'

const PLACE = '/management/elasticsearch'
const POST = { method: 'POST' } as const

/** A comparison reads every document, and so has no time limit. */
const WITHOUT_TIME_LIMIT = { method: 'POST', timeoutMs: undefined } as const

export type IndexOptions = { json?: boolean }

/** What is written while an index is filled is counted, too, and told to it afterwards. */
const progressOf = (done: number, total: number): string =>
  done < total ? `${done} of ${total}` : `${done}, catching up with what was written meanwhile`

/** Lists the indexes of the repository, and how far they are built. */
export const showIndexes = async ({ server, terminal }: Watch, options: IndexOptions): Promise<ExitCode> => {
  const status = await server.read(indexingEntity, PLACE)
  if (options.json) terminal.out(JSON.stringify(status))
  else {
    const rows = status.indexes.map(({ name, state, done, total }) => [
      name,
      state,
      state === 'building' ? progressOf(done, total) : '',
    ])
    showTable(terminal, { rows, none: 'There is no index: the database answers searches' })
  }
  if (status.failures > 0)
    terminal.error(`${status.failures} documents were refused: archivolt index failures`)
  return EXIT.ok
}

/** Asks for a new index, which takes the place of the one before when it is complete. */
export const rebuildIndex = async ({ server, terminal }: Watch): Promise<ExitCode> => {
  await server.read(indexingEntity, `${PLACE}/reindex`, POST)
  terminal.error('A new index is being built; archivolt index shows how far it is')
  return EXIT.ok
}

/** Compares the index with the repository, and names what differs. Differences that stay are a failure. */
export const compareWithIndex = async (
  { server, terminal }: Watch,
  { json, repair }: IndexOptions & { repair?: boolean },
): Promise<ExitCode> => {
  const drift = await server.read(
    indexDriftEntity,
    `${PLACE}/drift?repair=${repair ?? false}`,
    WITHOUT_TIME_LIMIT,
  )
  const { missing, surplus, different } = drift
  const kinds = Object.entries({ missing, surplus, different })
  if (json) terminal.out(JSON.stringify(drift))
  else {
    const counts = kinds.map(([name, { count }]) => `${count} ${name}`)
    terminal.out(`${drift.documents} documents, ${drift.entries} entries`)
    terminal.out(`${counts.join(', ')}, ${drift.repaired} repaired`)
    const rows = kinds.flatMap(([name, { ids }]) => ids.map((id) => [name, id]))
    for (const line of tableOf(rows)) terminal.out(line)
  }
  const left = kinds.reduce((sum, [, { count }]) => sum + count, 0) - drift.repaired
  return left > 0 ? EXIT.failed : EXIT.ok
}

/** Lists the documents that the search engine has refused, after another attempt where that is asked for. */
export const showIndexFailures = async (
  { server, terminal }: Watch,
  { json, retry }: IndexOptions & { retry?: boolean },
): Promise<ExitCode> => {
  const { entries, total } = retry
    ? await server.read(indexFailuresEntity, `${PLACE}/failures/retry`, WITHOUT_TIME_LIMIT)
    : await server.read(indexFailuresEntity, `${PLACE}/failures`)
  if (json) terminal.out(JSON.stringify(entries))
  else {
    const rows = entries.map(({ documentId, attempts, reason }) => [documentId, `${attempts}`, reason])
    showTable(terminal, { rows, none: 'No document is refused' })
  }
  return total > 0 ? EXIT.failed : EXIT.ok
}
