import type { Iterations } from '../../run-store/index.js'
import type { ChainProgress } from '../report/progress.js'
import { type ItemSource, pageOfItems } from './page.js'
import type { FailedItemsPage, ItemsPage, RetriedLoop } from './types.js'

/**
 * A page of the items that have failed again so far in a run that retries them, by its own report.
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

/** The same for an ended run: the items are still listed by the original loops. */
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
 * A page of the items after whose failure the loops of a run continued, by node and position; items that were retried
 * successfully since are omitted.
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
