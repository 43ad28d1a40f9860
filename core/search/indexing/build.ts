import { setTimeout as pause } from 'node:timers/promises'
import type { IndexSides } from '../../content/stores/index.js'
import { bring, PAGE } from './bring.js'
import { followEvents, type Subtrees } from './events.js'

/** Where the filling of an index stands: behind which document, and how many it has seen. */
export type FillPosition = { after: string | null; done: number }

/**
 * Documents of a page while an index is filled, and pages that the engine takes at once, while one more is read. The
 * engine writes each page to its disk before it answers, so that larger ones cost less.
 */
const FILL_PAGE = 1_000
const AT_ONCE = 3

/** How often it is written down how far the filling is, milliseconds: the database writes to its disk for that, too. */
const PROGRESS_MS = 500

type Page = { ids: readonly string[]; written: Promise<void> }

/** Makes an index of which nobody asks yet; from now on it is notified of what happens. Safe to repeat. */
export const beginIndex = async ({ feed, engine }: IndexSides, name: string): Promise<number> => {
  if (!(await engine.exists(name))) await engine.create(name)
  const total = await feed.count()
  await feed.begin(name, total)
  return total
}

/**
 * Indexes all documents of a repository, page by page, from a position on. While the engine takes pages, the next one
 * is read; where it stands is notified of pages that are written, and so are all before them.
 */
export const fillIndex = async (
  sides: IndexSides,
  name: string,
  {
    from,
    report,
    signal,
  }: { from: FillPosition; report(position: FillPosition): void; signal?: AbortSignal },
): Promise<number> => {
  const { feed } = sides
  let position = from
  // Taken before all that is read: what the index is notified of meanwhile has a higher one, and stays.
  const version = await feed.version()
  const write = async (ids: readonly string[]): Promise<void> => {
    await bring(sides, name, ids, { taken: version, page: FILL_PAGE })
  }
  let savedAt = Number.NEGATIVE_INFINITY
  const saveProgress = async (): Promise<void> => {
    savedAt = performance.now()
    await feed.progress(name, position.done)
  }
  const written = async (page: Page): Promise<void> => {
    await page.written
    position = { after: page.ids.at(-1) ?? null, done: position.done + page.ids.length }
    report(position)
    if (performance.now() - savedAt > PROGRESS_MS) await saveProgress()
  }
  const ahead: Page[] = []
  for (let { after } = position; ; ) {
    signal?.throwIfAborted()
    const ids = await feed.page(after, FILL_PAGE)
    const page = ids.length > 0 ? { ids, written: write(ids) } : undefined
    // Awaited after the page before it: until then a failure of it has no reader.
    page?.written.catch(() => undefined)
    if (page) ahead.push(page)
    while (ahead.length > (page ? AT_ONCE : 0)) await written(ahead.shift()!)
    if (!page) {
      await saveProgress()
      return position.done
    }
    after = ids.at(-1) ?? null
  }
}

/** Puts an index that has caught up into the place of the one before, which is removed. */
export const promoteIndex = async ({ feed, engine }: IndexSides, name: string): Promise<void> => {
  await engine.refresh(name)
  await engine.promote(name)
  const before = (await feed.list()).filter((index) => index.state === 'live' && index.name !== name)
  await feed.promote(name)
  for (const index of before) await engine.remove(index.name)
}

const LOOK_MS = 200

/**
 * Brings to an index all that was committed before the call: beside whatever feeds it, which does no harm.
 *
 * @param options `subtree`: has a large subtree indexed that is held, whose end is waited for.
 */
export const catchUp = async (
  sides: IndexSides,
  name: string,
  { subtree, signal }: { subtree: Subtrees['start']; signal?: AbortSignal },
): Promise<void> => {
  const mark = await sides.feed.mark()
  while (!(await sides.feed.isPast(name, mark))) {
    const count = await followEvents(sides, name, {
      onPage: async () => signal?.throwIfAborted(),
      subtrees: { limit: PAGE, start: subtree },
    })
    // What is committed has to wait for older transactions, and for large subtrees.
    if (count === 0) await pause(LOOK_MS, undefined, { signal })
  }
}

/** Gives up an index that does not answer. */
export const dropIndex = async ({ feed, engine }: IndexSides, name: string): Promise<void> => {
  const own = (await feed.list()).find((index) => index.name === name)
  if (own?.state === 'live') return
  await feed.forget(name)
  await engine.remove(name)
}
