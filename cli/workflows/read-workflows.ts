import type { Watch } from '../runs/index.js'
import { type WorkflowRunEntity, workflowRunsEntity } from '../server/index.js'

/** Document workflows that run, the oldest first: all of them, page by page. */
export const readWorkflows = async (
  { server }: Pick<Watch, 'server'>,
  { model, stuck = false, unfollowed = false }: { model?: string; stuck?: boolean; unfollowed?: boolean },
): Promise<WorkflowRunEntity[]> => {
  const query = new URLSearchParams({
    ...(model !== undefined && { workflowModelName: model }),
    ...(stuck && { stuck: 'true' }),
    ...(unfollowed && { unfollowed: 'true' }),
  })
  const found: WorkflowRunEntity[] = []
  for (;;) {
    const { entries, nextAfter } = await server.read(workflowRunsEntity, `/workflowRun?${query}`)
    found.push(...entries)
    if (nextAfter === null) return found
    query.set('after', nextAfter)
  }
}
