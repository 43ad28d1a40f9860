import { fail } from '../../../platform/errors/index.js'
import type { RetriedItems } from '../../planning/index.js'
import type { StepKey, UnitOfWork } from '../../run-store/index.js'
import type { Items, Source } from './source.js'

const listKey = ({ workflowId, step }: StepKey): string => `${workflowId}/${step}/items`

/**
 * Decides, in the caller's transaction, which failed items are retried: those at the given positions, or all.
 */
export const decideRetried = async (
  { iterations, transient }: UnitOfWork,
  key: StepKey,
  { key: origin, positions }: RetriedItems,
): Promise<void> => {
  const failed = await iterations.failedPositions(origin, positions)
  if (await iterations.begin(key, { total: failed.length, entered: null }))
    await transient.putList(listKey(key), failed.map(String))
}

/** Positions of retried items, by their place in the list of them. */
export const retriedPositions = async (
  { transient }: Pick<UnitOfWork, 'transient'>,
  key: StepKey,
  { from, to }: { from: number; to: number },
): Promise<number[]> => (from < to ? (await transient.getList(listKey(key), from, to)).map(Number) : [])

/** The failed items of an iteration, out of all that it has. What they hand on or return is not kept. */
export const overFailedItems = (source: Source, key: StepKey): Source => ({
  ...source,
  read: async (unit, from, to) => {
    const items: Items['items'][number][] = []
    for (const position of await retriedPositions(unit, key, { from, to })) {
      const [item] = (await source.read(unit, position, position + 1)).items
      if (!item) throw fail('notFound', `The item ${position} of the list is not kept any more`)
      items.push(item)
    }
    return { items }
  },
})
