import type { IndexEvent, IndexSides } from '../../content/stores/index.js'
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

/** The version that `versionRemoved` tells of, which is not the document of the event. */
const removedVersions = (events: readonly IndexEvent[]): string[] =>
  events.flatMap(({ event, payload: { version } }) =>
    event === 'versionRemoved' && typeof version === 'string' ? [version] : [],
  )

/**
 * Tells an index of the next events.
 *
 * @param options `before`: called when there are events, before their documents are read; `onPage`: between pages, which
 *   may take long after a change of a large subtree.
 * @returns how many events there were; less than `PAGE` when there are no more for now.
 */
export const followEvents = async (
  sides: IndexSides,
  name: string,
  { onPage, before }: { onPage: () => Promise<unknown>; before?: () => Promise<unknown> },
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
  await bring(sides, name, [...own, ...children.flat(), ...related], version)
  const roots = [...new Set(idsOf(events, OF_SUBTREES))]
  if (roots.length > 0) await bringSubtrees(sides, name, { ids: roots, onPage })
  // Before the position moves: who finds that it has moved finds the documents.
  await engine.refresh(name)
  await feed.advance(name, last.position)
  return events.length
}
