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

/** Looks each reference up once for all the documents of an answer. */
export const createExpander = (context: ReferenceContext): Expand => {
  const known = new Map<string, Promise<object | undefined>>()
  return (value, resolver) => {
    const key = JSON.stringify([resolver.kind, resolver.directory, value])
    const entity = known.get(key) ?? RESOLVERS[resolver.kind](value, resolver, context)
    known.set(key, entity)
    return entity
  }
}

export { directoryEntryEntity } from './directory-entry.js'
export { type Expand, expandProperties } from './expand.js'
export type { ReferenceContext } from './reference.js'
