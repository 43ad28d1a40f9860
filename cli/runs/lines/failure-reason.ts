import { RefusedError } from '../../failures/index.js'
import type { RunEntity, Server } from '../../server/index.js'
import { resultPath } from '../get-run.js'
import { exitCodeOfRun } from '../run-state.js'

/** Why a run failed: the response of the server instead of its result. */
export const failureReason = async (server: Server, run: RunEntity): Promise<string | undefined> => {
  if (exitCodeOfRun(run) === 0) return undefined
  if (run.failure) return run.failure.message
  try {
    const response = await server.call(resultPath(run.chainId, run.workflowId))
    await response.body?.cancel()
    return undefined
  } catch (error) {
    if (error instanceof RefusedError) return error.message
    throw error
  }
}
