import { createTurns } from '../../../../core/platform/limits/index.js'
import { resolveDirectoryEntry } from './directory-entry.js'
import { resolveDocument } from './document.js'
import type { Expand } from './expand.js'
import type { ReferenceContext, ResolveReference, Resolver } from './reference.js'
import { resolveUser } from './user.js'

const RESOLVERS: { [kind in Resolver['kind']]: ResolveReference } = {
  user: resolveUser,
  directory: resolveDirectoryEntry,
  document: resolveDocument,
}

/** Different references that are looked up for one answer; others stay as they are stored. */
const MAX_REFERENCES = 2_000

/** So many are looked up at the same time: each may take a connection of the database. */
const AT_ONCE = 4

/** Looks each reference up once for all the documents of an answer. */
export const createExpander = (context: ReferenceContext): Expand => {
  const known = new Map<string, Promise<object | undefined>>()
  const turns = createTurns(AT_ONCE)
  return (value, resolver) => {
    const key = JSON.stringify([resolver.kind, resolver.directory, value])
    const before = known.get(key)
    if (before) return before
    if (known.size >= MAX_REFERENCES) return Promise.resolve(undefined)
    const entity = turns(() => RESOLVERS[resolver.kind](value, resolver, context))
    known.set(key, entity)
    return entity
  }
}

export { directoryEntryEntity } from './directory-entry.js'
export { type Expand, expandProperties, MAX_EXPANDED } from './expand.js'
export type { ReferenceContext } from './reference.js'
