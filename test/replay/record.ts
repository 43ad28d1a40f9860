/**
 * Records the histories that `test/unit/replay.test.ts` replays: `npx tsx test/replay/record.ts NAME…`, by hand,
 * once for each new kind of run. Without names it lists what can be recorded.
 *
 * A history that is committed stays as it is: it stands for the runs that are under way when a new release is
 * installed. A workflow that can no longer replay one needs `patched()` of Temporal's SDK, not a new recording.
 */
import { writeFileSync } from 'node:fs'
import { recordings } from './chains.js'
import { openRecorder, type Recorder } from './recorder.js'
import { historiesOf } from './run-histories.js'

const HISTORIES = new URL('histories/', import.meta.url)

/** What can be recorded, each with what makes such a run and gives its id. */
const KINDS: { [name: string]: (recorder: Recorder) => Promise<string> } = {
  ...Object.fromEntries(
    recordings.map(({ name }) => [name, ({ runChain }: Recorder) => runChain(name)] as const),
  ),
  'lasted-too-long': ({ runLate }) => runLate('lasted-too-long'),
  'element-cancelled': ({ runCancelledItem }) => runCancelledItem('element-cancelled'),
  'elements-retried': ({ runRetried }) => runRetried('elements-retried'),
  'target-retried': ({ runRetried }) => runRetried('target-retried'),
  'elements-repaired': ({ runRepair }) => runRepair(),
  'conversion-locally': ({ runConversion }) => runConversion('a,b\n1,2\n'),
  // Too large to be begun in the first workflow task.
  'conversion-begun': ({ runConversion }) => runConversion('a,b\n'.repeat(9_000_000)),
  media: ({ runMedia }) => runMedia(),
  bulk: ({ runBulk }) => runBulk(),
  scheduled: ({ runScheduled }) => runScheduled('scheduledChain', 'scheduled', 'chain: scheduled'),
  'scheduled-event': ({ runScheduled }) =>
    runScheduled('scheduledEvent', 'scheduled-event', 'event: recorded'),
  'access-upkeep': ({ runWorkflow }) => runWorkflow('accessUpkeep'),
  'mail-delivery': ({ runWorkflow }) => runWorkflow('mailDelivery'),
  'blob-collection': ({ runWorkflow }) => runWorkflow('blobCollection'),
  'search-index': ({ runWorkflow }) =>
    runWorkflow('searchIndex', { index: 'archivolt-default-recorded', requestId: 'recorded' }),
  'search-subtree': ({ runWorkflow }) =>
    runWorkflow('searchSubtree', {
      ...{ index: 'archivolt-default-recorded', requestId: 'recorded' },
      task: { root: '00000000-0000-4000-8000-000000000000', position: { transaction: 1, id: 1 } },
    }),
  'webhook-delivery': ({ runWorkflow }) =>
    runWorkflow('webhookDelivery', {
      ...{ id: 'webhook-1-recorded', webhook: 'recorded', requestId: 'recorded' },
      event: { specversion: '1.0', id: 'default-1', type: 'documentCreated', data: {} },
    }),
  'event-page-locally': ({ runWorkflow }) =>
    runWorkflow('eventPage', {
      ...{ requestId: 'recorded', chainId: 'recorded', beginsLocally: true, runs: [] },
      plan: { chainId: 'recorded', nodes: [], chains: {}, params: [] },
    }),
  // Of a folder with a file, which the variable names.
  'folder-import': ({ runWorkflow }) =>
    runWorkflow('folderImport', {
      ...{ importId: 'folder-import-recorded', principal: 'Administrator', requestId: 'recorded' },
      bulk: {
        ...{ inputPath: process.env.ARCHIVOLT_IMPORT_FOLDERS, targetPath: '/default-domain/workspaces' },
        ...{ leafType: 'File', folderishType: 'Folder', hasContainer: true, batchSize: 5 },
      },
    }),
  route: ({ runRoute }) => runRoute(),
  housekeeping: ({ runWorkflow }) => runWorkflow('housekeeping'),
}

const record = async (names: readonly string[]): Promise<void> => {
  const recorder = await openRecorder()
  const { address, worker, close } = recorder
  try {
    await worker.runUntil(async () => {
      for (const name of names) {
        const run = KINDS[name]
        if (!run) throw new Error(`There is nothing to record by the name ${name}`)
        const histories = await historiesOf({ address, workflowId: await run(recorder) })
        for (const [index, history] of histories.entries()) {
          const file = histories.length === 1 ? `${name}.json` : `${name}-${index + 1}.json`
          writeFileSync(new URL(file, HISTORIES), `${JSON.stringify(history, null, 1)}\n`)
          process.stdout.write(`recorded ${file}\n`)
        }
      }
    })
  } finally {
    await close()
  }
}

const names = process.argv.slice(2)
if (names.length > 0) await record(names)
else process.stdout.write(`${Object.keys(KINDS).join('\n')}\n`)
