import { EXIT, type ExitCode } from '../failures/index.js'
import type { Watch } from '../runs/index.js'
import type { WorkflowRunEntity } from '../server/index.js'
import { showTable } from '../terminal/index.js'
import { readWorkflows } from './read-workflows.js'

const stateOf = ({ isFollowed, failedRules }: WorkflowRunEntity): string => {
  if (!isFollowed) return 'not followed'
  return failedRules.length > 0 ? `failed: ${failedRules.join(', ')}` : 'running'
}

const rowOf = (run: WorkflowRunEntity): string[] => [
  run.id,
  run.workflowModelName,
  run.initiator,
  run.startedAt,
  run.nodes.join(', ') || '-',
  stateOf(run),
]

/** Lists document workflows that run, with the nodes at which they wait. */
export const listWorkflows = async (
  { server, terminal }: Watch,
  options: { json?: boolean; stuck?: boolean; unfollowed?: boolean; model?: string },
): Promise<ExitCode> => {
  const entries = await readWorkflows({ server }, options)
  if (options.json) terminal.out(JSON.stringify(entries))
  else showTable(terminal, { rows: entries.map(rowOf), none: options.stuck ? 'None is stuck' : 'None runs' })
  return EXIT.ok
}
