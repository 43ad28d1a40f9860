import { EXIT, type ExitCode } from '../failures/index.js'
import type { Watch } from '../runs/index.js'
import { workflowBacklogEntity } from '../server/index.js'
import { showTable } from '../terminal/index.js'

type Counts = { open: number; overdue: number; earliestDue: string | null }

const cells = ({ open, overdue, earliestDue }: Counts): string[] => [
  `${open} open`,
  `${overdue} overdue`,
  earliestDue ?? '-',
]

/** Shows what waits in document workflows, by node and by assignee. */
export const showBacklog = async (
  { server, terminal }: Watch,
  { json = false }: { json?: boolean },
): Promise<ExitCode> => {
  const backlog = await server.read(workflowBacklogEntity, '/workflowBacklog')
  if (json) {
    terminal.out(JSON.stringify(backlog))
    return EXIT.ok
  }
  const rows = [
    ...backlog.nodes.map((each) => [each.workflowModelName, each.node, ...cells(each)]),
    ...backlog.assignees.map((each) => ['assignee', each.assignee, ...cells(each)]),
  ]
  showTable(terminal, { rows, none: 'No task is open' })
  if (backlog.unfollowed > 0) terminal.error(`${backlog.unfollowed} workflows are not followed yet`)
  return EXIT.ok
}
