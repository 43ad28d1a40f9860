import type { IndexSides, IndexWrite } from '../../content/stores/index.js'

/** Documents that are read and written together. */
export const PAGE = 500

/** A version that was taken before, absent: one is taken for each page; and how many documents are written at once. */
type Manner = { taken?: number; page?: number }

const writeOf = (version: number, found: ReadonlyMap<string, IndexWrite['document']>) => (id: string) => {
  const document = found.get(id)
  return document ? { id, version, document } : { id, version }
}

/**
 * Brings the entries of some documents up to date; of those that are gone, they go. What the engine refuses is parked.
 *
 * @returns of how many documents there are entries now.
 */
export const bring = async (
  { feed, engine }: IndexSides,
  name: string,
  ids: readonly string[],
  { taken, page: size = PAGE }: Manner = {},
): Promise<number> => {
  let wanted: readonly string[] = [...new Set(ids)]
  let indexed = 0
  while (wanted.length > 0) {
    const page = wanted.slice(0, size)
    // Taken first: whoever has a higher one has read what is at least as new.
    const version = taken ?? (await feed.version())
    const { documents, rest } = await feed.read(page)
    const seen = page.slice(0, page.length - rest.length)
    const found = new Map(documents.map((document) => [document.record.id, document]))
    const refused = await engine.write(name, seen.map(writeOf(version, found)))
    const failed = new Set(refused.map(({ id }) => id))
    await Promise.all([feed.park(refused), feed.unpark(seen.filter((id) => !failed.has(id)))])
    indexed += found.size - failed.size
    wanted = wanted.slice(seen.length)
  }
  return indexed
}

/** Walks pages to their end. */
export const eachPage = async <Key>(
  next: (after: Key | null) => Promise<{ ids: readonly string[]; last: Key | undefined }>,
  work: (ids: readonly string[]) => Promise<unknown>,
): Promise<void> => {
  for (let after: Key | null = null; ; ) {
    const { ids, last } = await next(after)
    if (ids.length > 0) await work(ids)
    if (ids.length < PAGE || last === undefined) return
    after = last
  }
}

/** Brings what is below documents up to date, page by page, by the repository, and what the index still has there. */
export const bringSubtrees = async (
  sides: IndexSides,
  name: string,
  { ids, onPage }: { ids: readonly string[]; onPage: () => Promise<unknown> },
): Promise<void> => {
  const { feed, engine } = sides
  const bringRelated = async (page: readonly string[]): Promise<void> => {
    await bring(sides, name, [...page, ...(await feed.related(page))])
    await onPage()
  }
  for (const id of ids)
    await eachPage<string>(async (after) => {
      const rows = await feed.below(id, after, PAGE)
      return { ids: rows.map((row) => row.id), last: rows.at(-1)?.path }
    }, bringRelated)
  await engine.refresh(name)
  await eachPage<string>(async (after) => {
    const page = await engine.under(name, ids, after, PAGE)
    return { ids: page, last: page.at(-1) }
  }, bringRelated)
}
