import { documentsOr } from '../harness/documents.js'
import type { Measure } from '../harness/types.js'
import { treeProcessorMs } from '../harness/usage.js'
import { openSearched, untilIndexIs } from './open.js'

/** The product builds the index of a repository by its workflow, from the first document until the index answers. */
export const measureReindex: Measure = async (context) => {
  const searched = await openSearched(context, documentsOr(context.isQuick ? 20_000 : 1_000_000))
  await searched.startProduct()
  await untilIndexIs('building', searched)
  const before = { at: performance.now(), spent: treeProcessorMs(process.pid) }
  await untilIndexIs('live', searched)
  const seconds = (performance.now() - before.at) / 1_000
  const spent = treeProcessorMs(process.pid) - before.spent
  const count = await searched.sides.feed.count()
  return [
    {
      name: `index of ${count} documents, built by the product`,
      unit: '1/s',
      ours: count / seconds,
      goal: { least: 3_000 },
    },
    {
      name: 'the same, processor time of 1,000 documents, all servers',
      unit: 'ms',
      ours: (spent * 1_000) / count,
    },
  ]
}
