import type { IndexEvent, IndexSides, SubtreeTask } from '../../content/stores/index.js'
import { bring, bringSubtrees, PAGE } from './bring.js'

/** Events after which everything below their document has another place, other rights or another state. */
const OF_SUBTREES: ReadonlySet<string> = new Set([
  'documentMoved',
  'documentSecurityUpdated',
  'documentTrashed',
  'documentUntrashed',
  'documentCreatedByCopy',
  'documentRemoved',
])

const OF_CHILDREN: ReadonlySet<string> = new Set(['childrenOrderChanged'])

const idsOf = (events: readonly IndexEvent[], names?: ReadonlySet<string>): string[] =>
  events.flatMap(({ event, documentId }) =>
    documentId !== null && (names === undefined || names.has(event)) ? [documentId] : [],
  )

/** The version that `versionRemoved` names, which is not the document of the event. */
const removedVersions = (events: readonly IndexEvent[]): string[] =>
  events.flatMap(({ event, payload: { version } }) =>
    event === 'versionRemoved' && typeof version === 'string' ? [version] : [],
  )

/** What is below each document that events have changed, after the first of its events. */
const subtreesOf = (events: readonly IndexEvent[]): SubtreeTask[] => {
  const tasks = new Map<string, SubtreeTask>()
  for (const { event, documentId: root, position } of events)
    if (root !== null && OF_SUBTREES.has(event) && !tasks.has(root)) tasks.set(root, { root, position })
  return [...tasks.values()]
}

/** Those below which the repository, or the index, has too many documents to do them along with other events. */
const largeOf = async (
  { feed, engine }: IndexSides,
  name: string,
  { tasks, limit }: { tasks: readonly SubtreeTask[]; limit: number },
): Promise<SubtreeTask[]> => {
  const under = async (...roots: string[]) => (await engine.under(name, roots, null, limit)).length
  const isLarge = async ({ root }: SubtreeTask, isLittleIndexed: boolean): Promise<boolean> => {
    if ((await feed.below(root, null, limit)).length === limit) return true
    return !isLittleIndexed && (await under(root)) === limit
  }
  if (tasks.length === 0) return []
  const isLittleIndexed = (await under(...tasks.map(({ root }) => root))) < limit
  const large: SubtreeTask[] = []
  for (const task of tasks) if (await isLarge(task, isLittleIndexed)) large.push(task)
  return large
}

/** What indexes large subtrees apart from other events, and how many documents a subtree must have for that. */
export type Subtrees = { limit: number; start(task: SubtreeTask): Promise<void> }

/**
 * Brings the next events to an index.
 *
 * @param options `before`: called when there are events, before their documents are read; `onPage`: between pages;
 *   `subtrees`: what has those indexed that would keep other events waiting.
 * @returns how many events there were; less than `PAGE` when there are no more for now.
 */
export const followEvents = async (
  sides: IndexSides,
  name: string,
  {
    onPage,
    before,
    subtrees,
  }: { onPage: () => Promise<unknown>; before?: () => Promise<unknown>; subtrees: Subtrees },
): Promise<number> => {
  const { feed, engine } = sides
  const events = await feed.events(name, PAGE)
  const last = events.at(-1)
  if (!last) return 0
  await before?.()
  const own = [...new Set([...idsOf(events), ...removedVersions(events)])]
  const parents = [...new Set(idsOf(events, OF_CHILDREN))]
  const [version, related, ...children] = await Promise.all([
    feed.version(),
    feed.related(own),
    ...parents.map(feed.children),
  ])
  await bring(sides, name, [...own, ...children.flat(), ...related], { taken: version })
  const tasks = subtreesOf(events)
  const large = await largeOf(sides, name, { tasks, limit: subtrees.limit })
  for (const task of large) {
    await feed.hold(name, task)
    await subtrees.start(task)
  }
  const roots = tasks.flatMap((task) => (large.includes(task) ? [] : [task.root]))
  if (roots.length > 0) await bringSubtrees(sides, name, { ids: roots, onPage })
  // Before the position moves: who finds that it has moved finds the documents.
  await engine.refresh(name)
  await feed.advance(name, last.position)
  return events.length
}
