import { type Collected, collectBlobs, keysIn } from '../../core/files/blobs/index.js'
import { blobReferencesIn, createBlobLedger } from '../../storage/postgres/index.js'
import type { Platform } from '../platform.js'

const HOUR = 3_600_000

/**
 * Removes files that nothing names: no database of a repository, no upload, and no open run.
 *
 * @param readOpenRuns reports all that open runs hold, as texts.
 */
export const createBlobCollection =
  (
    {
      blobs,
      database,
      databases,
      settings,
      logger,
      transientStores,
    }: Pick<Platform, 'blobs' | 'database' | 'databases' | 'settings' | 'logger' | 'transientStores'>,
    readOpenRuns: (found: (text: string) => void) => Promise<void>,
  ): ((options: { isDryRun: boolean }) => Promise<Collected>) =>
  async ({ isDryRun }) => {
    const collected = await collectBlobs({
      store: blobs,
      ledger: createBlobLedger(database),
      // Runs first: what one hands over to a document meanwhile is found there.
      references: [
        (found) => readOpenRuns((text) => keysIn(text).forEach(found)),
        // Uploads before documents, for the same reason.
        ...transientStores().map(({ references }) => references),
        ...databases.map(blobReferencesIn),
      ],
      graceMs: settings.blobGraceHours * HOUR,
      isDryRun,
    })
    logger.info(
      collected,
      isDryRun ? 'files that nothing names were counted' : 'files that nothing names were removed',
    )
    return collected
  }
