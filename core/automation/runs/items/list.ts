import type { Iterations } from '../../run-store/index.js'
import type { ChainProgress } from '../report/progress.js'
import { type ItemSource, pageOfItems } from './page.js'
import type { FailedItemsPage, ItemsPage, RetriedLoop } from './types.js'

/**
 * A page of the items that failed again in a run which retries them, until now: it reports them itself.
 *
 * @throws badRequest for a cursor that no page has given.
 */
export const failedAgainSoFar = (
  progress: ChainProgress | undefined,
  page: ItemsPage,
): Promise<FailedItemsPage> =>
  pageOfItems(
    (progress?.nodes ?? []).flatMap(({ status, loop: past }, node): ItemSource[] => {
      const loop = status === 'running' ? progress?.loop : past
      if (!loop) return []
      const read: ItemSource['read'] = async (after, limit) =>
        loop.failures.filter(({ position }) => position > after).slice(0, limit)
      return [{ node, read }]
    }),
    page,
  )

/** The same once it has retried them all: they stay on their loops' lists. */
export const failedAgain = async (
  iterations: Iterations,
  loops: readonly RetriedLoop[],
  page: ItemsPage,
): Promise<FailedItemsPage> =>
  pageOfItems(
    loops.map(({ node, key, positions }) => ({
      node,
      read: (after, limit) => iterations.failures(key, { after, among: positions, limit }),
    })),
    page,
  )

/**
 * A page of the items after whose failure the loops of a run continued, by node and position; what was done since is
 * none of them.
 *
 * @throws badRequest for a cursor that no page has given.
 */
export const failedItems = async (
  iterations: Iterations,
  workflowId: string,
  page: ItemsPage,
): Promise<FailedItemsPage> => {
  const loops = await iterations.ofRun(workflowId)
  const sources = loops.map(
    ({ step }): ItemSource => ({
      node: Number(step),
      read: (after, limit) => iterations.failures({ workflowId, step }, { after, limit }),
    }),
  )
  return pageOfItems(
    sources.sort((a, b) => a.node - b.node),
    page,
  )
}
