import { createWorker } from '../../worker/create-worker.js'
import { workflowBundle } from './workflow-bundle.js'

/**
 * A worker that runs, on the task queue of the given settings.
 *
 * @returns what ends it, when all that it has begun is done.
 */
export const startTestWorker = async (
  place: Omit<Parameters<typeof createWorker>[0], 'workflows'>,
): Promise<() => Promise<void>> => {
  const worker = await createWorker({ ...place, workflows: { workflowBundle: await workflowBundle() } })
  const running = worker.run()
  return async () => {
    worker.shutdown()
    await running
  }
}
