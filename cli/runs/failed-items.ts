import { type FailedItem, itemsEntity, type RunEntity, type Server } from '../server/index.js'
import { runPath } from './get-run.js'
import { failureLines, itemLine, placedIn } from './lines/progress-lines.js'
import { failedCount } from './run-state.js'

const PAGE_SIZE = 1000

/** All failed items, a line each: those beyond the report are fetched page by page. */
export const failedItemLines = async (server: Server, run: RunEntity): Promise<string[]> => {
  const listed = failureLines(run)
  if (failedCount(run) <= listed.length) return listed
  const items: FailedItem[] = []
  let cursor: string | undefined
  do {
    const query = new URLSearchParams({ pageSize: String(PAGE_SIZE), ...(cursor && { cursor }) })
    const page = await server.read(itemsEntity, `${runPath(run.workflowId)}/items?${query}`)
    items.push(...page.entries)
    cursor = page.nextCursor
  } while (cursor)
  const stopped = run.nodes.flatMap(({ loop }, node) => (loop?.stopped ? [{ ...loop.stopped, node }] : []))
  return [...items, ...stopped].map((item) => itemLine(placedIn(run, item)))
}
