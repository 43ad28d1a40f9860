/**
 * What a statement of the driver consists of. The driver calls `handler` when somebody first waits for the statement,
 * and one of the two ends when it is over; a statement that is part of another is never sent.
 */
export type PendingStatement = {
  handler(statement: PendingStatement): unknown
  resolve(result: unknown): void
  reject(error: unknown): void
  options: { prepare?: boolean; simple?: boolean }
  /** Of one that is read by cursor: rows that are read at once. */
  cursorRows?: number
  /** With placeholders, never with values; known once it has been sent. */
  statement: { string: string } | null
}

/** @param error what the statement failed with, if it did. */
export type Ended = (error?: unknown) => void

export const isStatement = (value: unknown): value is PendingStatement =>
  value instanceof Promise && 'handler' in value && typeof value.handler === 'function'

export const isCursor = ({ cursorRows }: PendingStatement): boolean => cursorRows !== undefined

const once = (ended: Ended): Ended => {
  let isOver = false
  return (error) => {
    if (isOver) return
    isOver = true
    ended(error)
  }
}

/** Also before an end that is put in its place: a cursor does so with each read. */
const beforeEnd = (
  statement: PendingStatement,
  end: 'resolve' | 'reject',
  work: (given: unknown) => void,
): void => {
  let own = statement[end]
  Object.defineProperty(statement, end, {
    get: () => (given: unknown) => {
      work(given)
      own.call(statement, given)
    },
    set: (next: typeof own) => {
      own = next
    },
  })
}

/**
 * Calls `ended` when a statement is about to end, once: the driver may reject one twice. Accessors would cost every
 * statement a microsecond, and one function for both ends four, by the garbage that it makes.
 */
export const atEnd = (statement: PendingStatement, ended: Ended): void => {
  if (isCursor(statement)) {
    const end = once(ended)
    beforeEnd(statement, 'resolve', () => end())
    beforeEnd(statement, 'reject', end)
    return
  }
  const { resolve, reject } = statement
  let isOver = false
  statement.resolve = (result) => {
    if (!isOver) ended()
    isOver = true
    resolve(result)
  }
  statement.reject = (error) => {
    if (!isOver) ended(error)
    isOver = true
    reject(error)
  }
}
