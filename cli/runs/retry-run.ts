import type { ExitCode } from '../failures/index.js'
import { runEntity } from '../server/index.js'
import { type FollowOptions, followRun } from './follow-run.js'
import { runPath } from './get-run.js'
import type { Watch } from './watch-run.js'

export type RetryOptions = FollowOptions & { items?: boolean; current?: boolean }

/**
 * Starts a failed run again where it failed, or does the failed items of its loops again in a run of their own, and
 * follows it like any other.
 */
export const retryRun = async (watch: Watch, id: string, options: RetryOptions): Promise<ExitCode> => {
  const definition = options.current ? '?definition=current' : ''
  const path = `${runPath(id)}${options.items ? '/items' : ''}/retry${definition}`
  const { workflowId } = await watch.server.read(runEntity, path, { method: 'POST' })
  return followRun(watch, workflowId, options)
}
