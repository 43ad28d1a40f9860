import type { PropertyValue } from '../../../model/properties/index.js'
import type { Place } from '../../../platform/contributions/index.js'

/** A value of a deployed text that knows where it stands; a text of one line as it was written, where its first character does. */
export type Tree =
  | { kind: 'scalar'; at: Place; value: null | string | number | boolean; textAt?: Place }
  | { kind: 'list'; at: Place; items: readonly Tree[] }
  | { kind: 'map'; at: Place; entries: readonly Entry[] }

export type Entry = { key: string; keyAt: Place; value: Tree }

/** Nothing is written, or `null`. */
export const isAbsent = (tree: Tree | undefined): tree is undefined =>
  tree === undefined || (tree.kind === 'scalar' && tree.value === null)

/** The value without its places. */
export const plainValue = (tree: Tree): PropertyValue => {
  if (tree.kind === 'scalar') return tree.value
  if (tree.kind === 'list') return tree.items.map(plainValue)
  return Object.fromEntries(tree.entries.map(({ key, value }) => [key, plainValue(value)]))
}
