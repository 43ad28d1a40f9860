import type { IndexSides, SubtreeTask } from '../../content/stores/index.js'
import { bring, PAGE } from './bring.js'

/** Where the indexing of a subtree stands: what the repository has below comes first, then what the index still has. */
export type SubtreePosition = { source: 'repository' | 'index'; after: string | null; done: number }

export const SUBTREE_START: SubtreePosition = { source: 'repository', after: null, done: 0 }

/**
 * Brings what is below a document up to date, page by page from a position on, and lets the index count as notified of it.
 * Ends early once nobody waits for it any more: its index may be gone.
 *
 * @returns how many documents there were.
 */
export const bringSubtree = async (
  sides: IndexSides,
  { index, task }: { index: string; task: SubtreeTask },
  {
    from,
    report,
    signal,
  }: { from: SubtreePosition; report(position: SubtreePosition): void; signal?: AbortSignal },
): Promise<number> => {
  const { feed, engine } = sides
  const isAwaited = async (): Promise<boolean> =>
    (await feed.held(index)).some(
      ({ root, position }) =>
        root === task.root &&
        position.transaction === task.position.transaction &&
        position.id === task.position.id,
    )
  const pageOf = async ({ source, after }: SubtreePosition): Promise<{ id: string; key: string }[]> => {
    if (source === 'index')
      return (await engine.under(index, [task.root], after, PAGE)).map((id) => ({ id, key: id }))
    return (await feed.below(task.root, after, PAGE)).map(({ id, path }) => ({ id, key: path }))
  }
  for (let at = from; await isAwaited(); report(at)) {
    signal?.throwIfAborted()
    const page = await pageOf(at)
    const ids = page.map(({ id }) => id)
    await bring(sides, index, [...ids, ...(await feed.related(ids))])
    at = { ...at, after: page.at(-1)?.key ?? at.after, done: at.done + ids.length }
    if (page.length === PAGE) continue
    await engine.refresh(index)
    if (at.source === 'index') {
      await feed.release(index, task)
      return at.done
    }
    at = { ...at, source: 'index', after: null }
  }
  // What was written after an index had been removed has made one of its name.
  if (!(await feed.list()).some(({ name }) => name === index)) await engine.remove(index)
  return from.done
}
