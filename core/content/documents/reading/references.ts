import type { Resolver } from '../../../model/content-model/index.js'
import { isUuid, type ReferenceLookup } from '../../../model/properties/index.js'
import { getEntries } from '../../directories/index.js'
import { keepReadable } from '../access/access.js'
import type { Session } from '../session.js'

/**
 * Looks references up in the session's own transaction: documents that the caller may not browse are not there, nor
 * entries of a directory that the caller may not read.
 */
export const referenceLookup =
  (session: Session): ReferenceLookup =>
  async (resolver, values) => {
    const known = await LOOKUPS[resolver.kind](session, values, resolver)
    return new Set(values.filter((value) => known.has(value)))
  }

type Lookup = (
  session: Session,
  values: readonly string[],
  resolver: Resolver,
) => Promise<ReadonlySet<string>>

/** Without a fixed kind, a reference may say it: `user:ann`, `group:members`. */
const users: Lookup = async ({ identities }, values, { only }) => {
  const wanted = values.map((value) => {
    const [, kind, name] = (only === undefined && /^(user|group):(.+)$/s.exec(value)) || []
    return { value, kind: kind ?? only, name: name ?? value }
  })
  const namesOf = (kind: string) =>
    wanted.filter((one) => (one.kind ?? kind) === kind).map(({ name }) => name)
  const found = {
    user: new Set((await identities.users(namesOf('user'))).map(({ username }) => username)),
    group: new Set((await identities.groups(namesOf('group'))).map(({ groupname }) => groupname)),
  }
  return new Set(
    wanted
      .filter(
        ({ kind, name }) =>
          (kind !== 'group' && found.user.has(name)) || (kind !== 'user' && found.group.has(name)),
      )
      .map(({ value }) => value),
  )
}

/** Entries of a hierarchy may be named with those above them: `art/architecture`. */
const entries: Lookup = async (session, values, { directory = '' }) => {
  if (!session.directories.registry.has(directory)) return new Set()
  const last = (value: string): string => value.slice(value.lastIndexOf('/') + 1)
  const ids = [...new Set(values.flatMap((value) => [value, last(value)]))]
  const found = new Set((await getEntries(session, directory, ids)).map(({ id }) => id))
  return new Set(values.filter((value) => found.has(value) || found.has(last(value))))
}

/** Those of another repository are taken at their word: its documents are out of reach of this transaction. */
const documents: Lookup = async (session, values) => {
  const refs = values.map((value) => {
    const [, repository, ref = value] = /^([\w-]+):(.+)$/s.exec(value) ?? []
    return { value, ref, isElsewhere: repository !== undefined && repository !== session.repository }
  })
  const here = refs.filter(({ isElsewhere }) => !isElsewhere)
  const ids = here.filter(({ ref }) => isUuid(ref)).map(({ ref }) => ref)
  const found = await session.stores.documents.briefly(ids, [])
  for (const { ref } of here) {
    const document = ref.startsWith('/') ? await session.stores.documents.get(ref) : undefined
    if (document) found.push(document)
  }
  const readable = await keepReadable(session, found)
  const names = new Set(readable.flatMap(({ id, path }) => (path === null ? [id] : [id, path])))
  return new Set(
    refs.filter(({ ref, isElsewhere }) => isElsewhere || names.has(ref)).map(({ value }) => value),
  )
}

const LOOKUPS: { [kind in Resolver['kind']]: Lookup } = {
  user: users,
  directory: entries,
  document: documents,
}
