import type { DocumentRecord, Properties } from '../../../core/model/properties/index.js'
import type { CoreEvent } from '../../../core/platform/events/index.js'
import { type WriteAccount, weightOf } from '../../../core/platform/limits/index.js'
import { documents } from '../../../schema/documents.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')

/** What a row takes beside its properties: its columns, its entries in indexes, its event. */
export const ROW_CHARACTERS = 1_000

/** Characters of a document from which it is worth a look what else it makes others write or wait for. */
export const LARGE = 10_000

/** Rows that a change of a document has written. */
const rowsOf = async (sql: Sql, changed: DocumentRecord | undefined, characters: number): Promise<number> => {
  if (!changed || characters < LARGE) return 1
  const [row] = await named(sql)<{ proxies: number }[]>`
    SELECT count(*)::int AS proxies FROM ${DOCUMENTS} d WHERE ${d.proxyTargetId} = ${changed.id}`
  return 1 + row!.proxies
}

/** Characters that a document with these properties is counted as. */
export const charactersOf = (properties: Properties): number => ROW_CHARACTERS + weightOf(properties)

/**
 * Changes a document: its row is written whole, as are those of the proxies that repeat it. How much that is is known
 * afterwards.
 *
 * @param change is given how many characters are asked for, counted once.
 */
export const countingChange = async (
  sql: Sql,
  {
    set = {},
    events = [],
    writes,
  }: { set?: Properties; events?: readonly CoreEvent[]; writes: WriteAccount | undefined },
  change: (asked: () => number) => Promise<DocumentRecord | undefined>,
): Promise<DocumentRecord | undefined> => {
  if (!writes) return change(() => charactersOf(set) + weightOf(events))
  const expected = charactersOf(set)
  const asked = expected + weightOf(events)
  await writes.spend(asked)
  const changed = await change(() => asked)
  const characters = changed ? charactersOf(changed.properties) : 0
  writes.owe(characters * (await rowsOf(sql, changed, characters)) - expected)
  return changed
}
