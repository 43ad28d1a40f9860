import { fail } from '../../../platform/errors/index.js'

/** Everybody who may end a task adds to it: what each adds is bounded, and how much there is. */
const MAX_TEXT = 10_000
const MAX_ENTRIES = 1_000

/** @throws badRequest naming a text that is too long to be kept with a task. */
export const requireShort = (what: string, text: string): void => {
  if (text.length > MAX_TEXT)
    throw fail('badRequest', `${what}: has ${text.length} characters, of which at most ${MAX_TEXT} are kept`)
}

/** Those who are given tasks at once: each costs the transaction a document, and others wait for its end. */
export const MAX_ASSIGNEES = 100

/** @throws badRequest naming a list that is longer than it may be; for a task when `most` is absent. */
export const requireFew = (what: string, entries: readonly unknown[], most = MAX_ENTRIES): void => {
  if (entries.length > most)
    throw fail('badRequest', `${what}: there would be ${entries.length}, and ${most} at most`)
}

/**
 * Actors times documents of what one move of a workflow gives to do: each is an entry of the audit, and of the ACL of the
 * document. Others wait for the move, and for what reads its events.
 */
const MAX_SHARES = 10_000

/** @throws badRequest naming both numbers, when so many actors would get tasks on so many documents. */
export const requireModestShares = (
  what: string,
  { actors, documents }: { actors: number; documents: number },
): void => {
  if (actors * documents > MAX_SHARES)
    throw fail(
      'badRequest',
      `${what}: ${actors} assignees on ${documents} documents would be ${actors * documents} entries, and ${MAX_SHARES} at most: assign a group, or take fewer documents`,
    )
}
