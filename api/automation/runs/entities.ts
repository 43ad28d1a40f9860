import type { FailedItemsPage, RetriedRun, RunPage, RunSummary } from '../../../core/automation/runs/index.js'

/** The report of a run, or its summary in a list. */
export const runEntity = (run: RetriedRun | RunSummary) => ({ 'entity-type': 'run', ...run })

export const runsEntity = ({ entries, ...page }: RunPage<RunSummary>) => ({
  'entity-type': 'runs',
  entries: entries.map(runEntity),
  ...page,
  isNextPageAvailable: page.nextCursor !== undefined,
})

export const itemsEntity = ({ entries, ...page }: FailedItemsPage) => ({
  'entity-type': 'runItems',
  entries: entries.map((item) => ({ 'entity-type': 'runItem', ...item })),
  ...page,
  isNextPageAvailable: page.nextCursor !== undefined,
})
