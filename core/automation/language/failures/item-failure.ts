export type ItemFailure = {
  /** Among the elements, from 0. */
  position: number
  status: number
  message: string
  /** The document, where the element is one. */
  id?: string
}

/** A failed item with the path of its document. */
export type NamedFailure = ItemFailure & { path?: string }

/** Failures of a loop or a command that a report lists; beyond them it counts, so that it stays small. */
export const KEPT_FAILURES = 1_000

/** Characters of the message of each: all failures of a loop travel in one payload, of which Temporal takes 2 MB. */
export const KEPT_MESSAGE = 500
