import type postgres from 'postgres'
import type { Principal } from '../../../core/access/security/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { createFairSemaphore, MAX_CHARACTERS, weightOf } from '../../../core/platform/limits/index.js'
import { RECORD_COLUMNS, SMALL_COLUMNS } from './record-columns.js'

/** Rows that are read at once where those before them are small. */
const ROWS = 100

/** Rows that are read before anybody knows how large they are: as many of the largest size make a whole list. */
const FIRST_ROWS = 4

/** Characters of rows that are read at once, as far as those before them allow an estimate. */
const AT_ONCE = 16 * 1024 * 1024

/** The same of rows in which a value of a document may stand many times. */
const WEIGHED_ROWS = 20

/** Characters from which a list is a large one. */
const LARGE = 2 * 1024 * 1024

/**
 * Large lists that one process reads at once, one of a user, and how long the next waits, milliseconds: each costs seconds
 * of its only thread, and memory.
 */
const largeLists = createFairSemaphore({ places: 2, waitTimeoutMs: 10_000 })

/** Whose list is read. */
type Owner = Pick<Principal, 'name' | 'isAdministrator'>

const tooManyLarge = (owner: string): Error =>
  fail(
    'tooManyRequests',
    `User ${owner} has reached the limit of concurrent large lists of documents: try again, or ask for a smaller page (pageSize)`,
    { retryable: true, retryAfter: 1 },
  )

/** Users share the places; administrators and the product itself take what they need. */
const enterLarge = async ({ name, isAdministrator }: Owner): Promise<() => void> =>
  isAdministrator ? () => undefined : largeLists.enter(name, tooManyLarge)

/** @returns how many more rows are to be read at once. */
type Weigh = (rows: readonly object[]) => Promise<number>

/** Runs what reads a list, and says after each part of it how large the next may be. */
const weighing = async <Result>(owner: Owner, read: (weigh: Weigh) => Promise<Result>): Promise<Result> => {
  let weight = 0
  let count = 0
  let leave: (() => void) | undefined
  const weigh: Weigh = async (rows) => {
    for (const row of rows) weight += weightOf(row)
    count += rows.length
    if (weight > MAX_CHARACTERS)
      throw fail(
        'tooLarge',
        `A list of documents with more than ${MAX_CHARACTERS} characters is asked for: ask for a smaller page (pageSize), or for less of each`,
      )
    if (weight > LARGE) leave ??= await enterLarge(owner)
    return Math.min(ROWS, Math.max(FIRST_ROWS, Math.floor((AT_ONCE * count) / (weight + 1))))
  }
  try {
    return await read(weigh)
  } finally {
    leave?.()
  }
}

/**
 * Reads rows, a few at a time when there may be many: how many documents a list holds says nothing about how large they are.
 *
 * @param atMost rows that there may be.
 * @throws tooLarge before all of them are in memory; tooManyRequests, to be tried again, when the owner has as many large
 * lists read at once as one may.
 */
export const readRows = async <Rows extends readonly object[]>(
  statement: postgres.PendingQuery<Rows & object[]>,
  { atMost, owner }: { atMost: number; owner: Owner },
): Promise<Rows[number][]> => {
  if (atMost <= FIRST_ROWS) return statement
  return weighing(owner, async (weigh) => {
    const read: Rows[number][] = []
    for await (const rows of statement.cursor(FIRST_ROWS)) {
      // The driver looks at it for each part: an ordinary page takes two round trips.
      Object.assign(statement, { cursorRows: await weigh(rows) })
      for (const row of rows) read.push(row)
    }
    return read
  })
}

/** Whether the properties of a document, which always has some, have not been left out. */
const isWhole = ({ properties }: { properties: object | null }): boolean => properties !== null

/**
 * The same for a page of documents, which are most often small: then all of them are read at once. A page with a large one is
 * read again, a few at a time.
 *
 * @param statement for the columns of documents, or for those of small ones.
 */
export const readPage = async (
  statement: (columns: string) => postgres.PendingQuery<DocumentRecord[]>,
  options: { atMost: number; owner: Owner },
): Promise<DocumentRecord[]> => {
  if (options.atMost > FIRST_ROWS && options.atMost <= ROWS) {
    const rows = await statement(SMALL_COLUMNS)
    if (rows.every(isWhole)) return rows
  }
  return readRows<DocumentRecord[]>(statement(RECORD_COLUMNS), options)
}

/**
 * The same for what is made of rows, which is weighed however few there are: by what is selected, one may be as large as many
 * documents.
 *
 * @throws tooLarge when what is made has too many characters.
 */
export const readWeighed = async <Row extends object, Made extends object>(
  statement: postgres.PendingQuery<Row[]>,
  { atMost, owner }: { atMost: number; owner: Owner },
  make: (row: Row) => Made,
): Promise<Made[]> =>
  weighing(owner, async (weigh) => {
    const made: Made[] = []
    const add = async (rows: readonly Row[]) => {
      const some = rows.map(make)
      await weigh(some)
      for (const one of some) made.push(one)
    }
    if (atMost <= WEIGHED_ROWS) await add(await statement)
    else for await (const rows of statement.cursor(WEIGHED_ROWS)) await add(rows as Row[])
    return made
  })

/** The same by keys, in their order: those of as many rows in a statement each. */
export const readByKeys = async <Row extends object>(
  keys: readonly string[],
  owner: Owner,
  read: (keys: readonly string[]) => Promise<readonly Row[]>,
): Promise<Row[]> => {
  if (keys.length <= 2 * ROWS) return [...(await read(keys))]
  return weighing(owner, async (weigh) => {
    const found: Row[] = []
    for (let at = 0; at < keys.length; at += ROWS) {
      const rows = await read(keys.slice(at, at + ROWS))
      await weigh(rows)
      for (const row of rows) found.push(row)
    }
    return found
  })
}
