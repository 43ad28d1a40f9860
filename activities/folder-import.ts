import { Context } from '@temporalio/activity'
import type { Principal } from '../core/access/security/index.js'
import type { SegmentDependencies } from '../core/automation/execution/index.js'
import { createBulkSource, createScanSource, runImportPage } from '../core/automation/folder-imports/index.js'
import { fail } from '../core/platform/errors/index.js'
import { failing } from './failure.js'
import { endingLostAttempts } from './lost-attempts.js'
import type { FolderImportActivities, RunPlace } from './types.js'

/**
 * The activities of the workflow `folderImport`.
 *
 * @param folders those of the server below which importers may read.
 */
export const createFolderImportActivities = ({
  segments,
  principal,
  folders,
}: {
  segments(place: RunPlace): Promise<SegmentDependencies>
  principal(name: string): Promise<Principal | undefined>
  folders: readonly string[]
}): FolderImportActivities => ({
  importFolderPage: ({ cursor, importId, bulk, scan, ...input }) =>
    failing(() =>
      endingLostAttempts(async (report) => {
        const actor = await principal(input.principal)
        if (!actor?.isAdministrator)
          throw fail('forbidden', `User ${input.principal} is no administrator, who alone may import folders`)
        const signal = Context.current().cancellationSignal
        const dependencies = await segments(input)
        const { services } = dependencies
        const context = { folders, services, principal: actor, signal }
        const call = { principal: actor, importId, cursor, signal, report }
        if (bulk) {
          const { batchSize } = bulk
          return runImportPage(dependencies, await createBulkSource(bulk, context), { ...call, batchSize })
        }
        if (!scan) throw fail('badRequest', 'bulk, scan: one of them must be there')
        const { batchSize } = scan.config
        return runImportPage(dependencies, await createScanSource(scan, context), { ...call, batchSize })
      }),
    ),
})
