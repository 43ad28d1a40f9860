/**
 * `npm run bench [-- --only NAME,NAME] [--quick] [--keep FOLDER]`: starts the product on ports and a folder of its own, measures
 * each figure beside its floor and prints the table; all of it goes to `bench/results/latest.json`, too. What is in FOLDER is kept for the next run, the
 * generated documents among it.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measureBulk } from './automation/bulk.js'
import { measureChains } from './automation/chain.js'
import { measureInline } from './automation/inline.js'
import { measureListeners } from './automation/listeners.js'
import { measureLoop } from './automation/loop.js'
import { measureOperations } from './automation/operation.js'
import { measureScripts } from './automation/script.js'
import { measureWaiting } from './automation/waiting.js'
import { measureWorkflows } from './automation/workflow.js'
import { measureDocuments } from './content/documents.js'
import { measureImport } from './content/import.js'
import { measurePages } from './content/pages.js'
import { measureQueries } from './content/queries.js'
import { measureSubtrees } from './content/subtrees.js'
import { measureConversion } from './files/conversion.js'
import { measureTransfer } from './files/transfer.js'
import { judge, type Row, renderTable } from './harness/report.js'
import { startServers } from './harness/servers.js'
import type { Measure } from './harness/types.js'
import { measureFilms } from './media/films.js'
import { measureOffice } from './media/office.js'
import { measurePhotos } from './media/photos.js'
import { measureReindex } from './search/reindex.js'
import { measureIndexing, measureIndexLag, measureSearch } from './search/search.js'
import { measureStart } from './start.js'

const MEASURES: { [name: string]: Measure } = {
  chain: measureChains,
  script: measureScripts,
  inline: measureInline,
  operation: measureOperations,
  loop: measureLoop,
  bulk: measureBulk,
  documents: measureDocuments,
  transfer: measureTransfer,
  conversion: measureConversion,
  films: measureFilms,
  office: measureOffice,
  photos: measurePhotos,
  import: measureImport,
  queries: measureQueries,
  pages: measurePages,
  subtrees: measureSubtrees,
  indexing: measureIndexing,
  search: measureSearch,
  lag: measureIndexLag,
  reindex: measureReindex,
  workflow: measureWorkflows,
  listeners: measureListeners,
  waiting: measureWaiting,
  start: measureStart,
}

const RESULTS = new URL('results/', import.meta.url)

const chosen = (only: string | undefined): string[] => {
  const names = only?.split(',') ?? Object.keys(MEASURES)
  const unknown = names.filter((name) => !(name in MEASURES))
  if (unknown.length === 0) return names
  throw new Error(`--only ${unknown.join(',')}: possible are ${Object.keys(MEASURES).join(', ')}`)
}

const measureAll = async (
  names: readonly string[],
  { isQuick, kept }: { isQuick: boolean; kept: string | undefined },
): Promise<Row[]> => {
  const servers = await startServers(kept && resolve(kept))
  const ends: (() => Promise<void>)[] = [servers.stop]
  const rows: Row[] = []
  try {
    for (const name of names) {
      process.stderr.write(`measuring ${name}\n`)
      const context = { servers, isQuick, atEnd: (stop: () => Promise<void>) => void ends.unshift(stop) }
      rows.push(...((await MEASURES[name]?.(context)) ?? []).map(judge))
    }
  } finally {
    for (const end of ends) await end()
  }
  return rows
}

const writeResults = (rows: readonly Row[], isQuick: boolean): void => {
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, memory: totalmem(), node: process.version }
  mkdirSync(RESULTS, { recursive: true })
  const result = { measuredAt: new Date().toISOString(), isQuick, machine, rows }
  writeFileSync(new URL('latest.json', RESULTS), `${JSON.stringify(result, null, 2)}\n`)
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, quick: { type: 'boolean' }, keep: { type: 'string' } },
})
const isQuick = values.quick ?? false
const rows = await measureAll(chosen(values.only), { isQuick, kept: values.keep })
writeResults(rows, isQuick)
process.stdout.write(`${renderTable(rows)}\n`)
if (rows.some(({ verdict }) => verdict === 'missed') && !isQuick) process.exitCode = 1
process.exit()
