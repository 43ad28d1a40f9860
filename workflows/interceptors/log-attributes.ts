import type { WorkflowInterceptorsFactory } from '@temporalio/workflow'

/**
 * What each log line of a workflow has besides its ids: the request that it runs for, and, once it has failed
 * by its caller's mistake, which one. The error itself loses all but its text on its way out of the sandbox.
 */
export type WorkflowLogAttributes = {
  requestId?: string | undefined
  mistake?: { code: string; status: number; reason: string }
}

/** The one argument of every workflow says for which request it runs. */
const requestIdOf = ([input]: unknown[]): string | undefined => {
  if (typeof input !== 'object' || input === null || !('requestId' in input)) return undefined
  return typeof input.requestId === 'string' ? input.requestId : undefined
}

/** The first detail of what an activity fails with (activities/failure.ts). */
const isDetail = (value: unknown): value is { code: string; status: number } =>
  typeof value === 'object' && value !== null && 'status' in value && typeof value.status === 'number'

const mistakeOf = (error: unknown): WorkflowLogAttributes['mistake'] => {
  for (let at = error; at instanceof Error; at = at.cause) {
    const [detail]: unknown[] = 'details' in at && Array.isArray(at.details) ? at.details : []
    if (isDetail(detail) && detail.status >= 400 && detail.status < 500)
      return { code: detail.code, status: detail.status, reason: at.message }
  }
  return undefined
}

export const interceptors: WorkflowInterceptorsFactory = () => {
  let known: WorkflowLogAttributes = {}
  return {
    inbound: [
      {
        execute: (input, next) => {
          known = { requestId: requestIdOf(input.args) }
          const running = next(input)
          // Beside the run, which is not to be a step longer for it.
          running.catch((error: unknown) => {
            const mistake = mistakeOf(error)
            if (mistake) known = { ...known, mistake }
          })
          return running
        },
      },
    ],
    outbound: [{ getLogAttributes: (attributes, next) => next({ ...attributes, ...known }) }],
  }
}
