import type { IndexSides } from '../../content/stores/index.js'
import { bring, PAGE } from './bring.js'
import { entryDigest } from './entry-digest.js'

/** How an index differs from its repository. Ids are the first of each kind. */
export type Drift = {
  documents: number
  entries: number
  missing: { count: number; ids: string[] }
  /** Entries of documents that are gone. */
  surplus: { count: number; ids: string[] }
  /** Entries made of another state of their document, place, rights and words included. */
  different: { count: number; ids: string[] }
  /** How many of these agreed when they were looked at again after the repair. */
  repaired: number
}

const SHOWN = 100

const digestsOf = async ({ feed }: IndexSides, ids: readonly string[]): Promise<Map<string, string>> => {
  const digests = new Map<string, string>()
  for (let wanted = ids; wanted.length > 0; ) {
    const { documents, rest } = await feed.read(wanted)
    for (const document of documents) digests.set(document.record.id, entryDigest(document))
    wanted = rest
  }
  return digests
}

/** Indexes documents again. @returns how many entries agree with the repository afterwards. */
const repair = async (sides: IndexSides, name: string, ids: readonly string[]): Promise<number> => {
  await bring(sides, name, ids)
  const entries = await sides.engine.digests(name, ids)
  const digests = await digestsOf(sides, ids)
  return ids.filter((id) => entries.get(id) === digests.get(id)).length
}

const note = (kind: Drift['missing'], ids: readonly string[]): void => {
  kind.count += ids.length
  kind.ids.push(...ids.slice(0, Math.max(0, SHOWN - kind.ids.length)))
}

/** Hands out the entries of an index in order: those up to an id, or, without one, all that are left. */
const entriesOf = ({ engine }: IndexSides, name: string) => {
  let ahead: { id: string; digest: string }[] = []
  let last: string | null = null
  let isAtEnd = false
  return async (upTo: string | undefined): Promise<Map<string, string>> => {
    while (!isAtEnd && (upTo === undefined || (last ?? '') < upTo)) {
      const page = await engine.entries(name, last, PAGE)
      isAtEnd = page.length < PAGE
      last = page.at(-1)?.id ?? last
      ahead.push(...page)
    }
    const isTaken = ({ id }: { id: string }) => upTo === undefined || id <= upTo
    const taken = ahead.filter(isTaken)
    ahead = ahead.slice(taken.length)
    return new Map(taken.map(({ id, digest }) => [id, digest]))
  }
}

/**
 * Compares an index with its repository, document by document, in the order of their ids. What changes meanwhile, and
 * what the index is notified of in a moment, may be listed, too.
 *
 * @param isRepairing whether what differs is indexed again.
 */
export const compareIndex = async (
  sides: IndexSides,
  name: string,
  { isRepairing }: { isRepairing: boolean },
): Promise<Drift> => {
  const { feed, engine } = sides
  await engine.refresh(name)
  const kind = () => ({ count: 0, ids: [] })
  const drift: Drift = {
    documents: 0,
    entries: 0,
    missing: kind(),
    surplus: kind(),
    different: kind(),
    repaired: 0,
  }
  const entriesUpTo = entriesOf(sides, name)
  for (let after: string | null = null; ; ) {
    const ids: string[] = await feed.page(after, PAGE)
    const entries = await entriesUpTo(ids.at(-1))
    const digests = await digestsOf(sides, ids)
    const missing = [...digests.keys()].filter((id) => !entries.has(id))
    const surplus = [...entries.keys()].filter((id) => !digests.has(id))
    const different = [...entries].flatMap(([id, digest]) =>
      digests.has(id) && digests.get(id) !== digest ? [id] : [],
    )
    drift.documents += digests.size
    drift.entries += entries.size
    note(drift.missing, missing)
    note(drift.surplus, surplus)
    note(drift.different, different)
    const drifted = [...missing, ...surplus, ...different]
    if (isRepairing && drifted.length > 0) drift.repaired += await repair(sides, name, drifted)
    if (ids.length === 0) break
    after = ids.at(-1) ?? null
  }
  if (drift.repaired > 0) await engine.refresh(name)
  return drift
}
