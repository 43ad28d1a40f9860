import {
  ActivityCancellationType,
  continueAsNew,
  defineQuery,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { FolderImportActivities, FolderImportInput } from '../activities/types.js'
import type { ImportCursor } from '../core/automation/folder-imports/index.js'

/** Infrastructure comes back; a run that is stopped ends when its last transaction has. */
const { importFolderPage } = proxyActivities<FolderImportActivities>({
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1 minute' },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  summary: 'import what is next',
})

/** Lines of its log, the oldest first. */
const logQuery = defineQuery<string[]>('log')

/** Whether it logs what it does. */
const loggingSignal = defineSignal<[isActive: boolean]>('logging')

/** Lines that are kept, the last ones. */
const MAX_LINES = 1_000

/** As `IMPORT_START` of the core, which workflow code knows by its types alone. */
const START: ImportCursor = { after: null, batch: 0, created: 0, updated: 0, unchanged: 0, failed: 0 }

/** @property log what a history before this one has logged. */
type FolderImportRun = FolderImportInput & { cursor?: ImportCursor; log?: string[]; isLogging?: boolean }

const shown = ({ created, updated, unchanged, failed }: ImportCursor): string =>
  `${created} documents created, ${updated} updated, ${unchanged} there already, ${failed} failed`

/**
 * Imports a folder of the server, in transactions of a batch each, until nothing is left in it.
 *
 * @returns how many documents.
 */
export async function folderImport({
  cursor = START,
  log = [],
  isLogging = true,
  ...input
}: FolderImportRun): Promise<ImportCursor> {
  let lines = log
  let isActive = isLogging
  setHandler(logQuery, () => lines)
  setHandler(loggingSignal, (wanted) => {
    isActive = wanted
  })
  const append = (added: readonly string[]): void => {
    if (isActive) lines = [...lines, ...added].slice(-MAX_LINES)
  }
  for (let at = cursor; ; ) {
    const page = await importFolderPage({ ...input, cursor: at })
    at = page.cursor
    append([...page.lines, shown(at)])
    setCurrentDetails(shown(at))
    if (page.isDone) return at
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof folderImport>({ ...input, cursor: at, log: lines, isLogging: isActive })
  }
}
