import { EXIT, type ExitCode } from '../failures/index.js'
import type { Watch } from '../runs/index.js'
import { workflowRunEntity } from '../server/index.js'

/** Tries again what has failed in a document workflow, and has it followed. */
export const retryWorkflow = async ({ server, terminal }: Watch, id: string): Promise<ExitCode> => {
  const path = `/workflowRun/${encodeURIComponent(id)}/retry`
  const { temporalId } = await server.read(workflowRunEntity, path, { method: 'POST' })
  terminal.error(`${temporalId} goes on`)
  return EXIT.ok
}
