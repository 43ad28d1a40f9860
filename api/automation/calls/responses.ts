import type { Principal } from '../../../core/access/security/index.js'
import type { Registry, Value } from '../../../core/automation/language/index.js'
import { fail, isArchivoltError } from '../../../core/platform/errors/index.js'
import type { RequestContext } from '../../edge/index.js'
import { IDEMPOTENCY_KEY } from '../../idempotency/index.js'
import type { AutomationDependencies } from '../dependencies.js'
import { REPLAYED, WORKFLOW_ID } from '../headers.js'
import { respondWith } from './respond.js'

export type FinishedRun = { workflowId: string; registry: Registry; isEarlier?: boolean }

/** That a failure is one of before, and how to have another outcome. */
const asEarlier = (error: unknown, workflowId: string): unknown => {
  if (!isArchivoltError(error)) return error
  const { code, message, details } = error
  const hint = `this is what the run ${workflowId} of an earlier call with this ${IDEMPOTENCY_KEY} came to, and does until it is retried (archivolt retry ${workflowId})`
  return fail(code, `${message}; ${hint}`, { cause: error, details })
}

export type Responses = {
  /** Answers with what a call came to. */
  respond(c: RequestContext, result: { registry: Registry; output: Value }): Promise<Response>
  /** The same, naming the run, also when it fails meanwhile. */
  respondAs(
    c: RequestContext,
    run: { workflowId: string; registry: Registry },
    outputOf: () => Promise<Value>,
  ): Promise<Response>
  /** Answers with the output of a run. */
  answer(c: RequestContext, run: FinishedRun): Promise<Response>
}

/** Writes what calls come to as their callers want to see it. */
export const createResponses = (deps: AutomationDependencies): Responses => {
  const respond: Responses['respond'] = async (c, { registry, output }) => {
    if (c.req.header('X-NXVoidOperation')?.toLowerCase() === 'true') return c.body(null, 204)
    if ((output.type === 'blob' || output.type === 'blobs') && output.isRecorded)
      throw fail(
        'conflict',
        'Idempotency-Key: this call was done before, and the file that it gave is not given again; another key does it anew',
      )
    if (output.type === 'blob' && output.download)
      return c.redirect(deps.downloadUrlOf(c, output.download), 302)
    const principal: Principal = c.get('principal')
    const { units } = deps.segments(registry)
    const unit = units.reading(principal)
    return respondWith(output, { unit, blobs: deps.blobs, writer: deps.writerOf(c, unit.session) })
  }

  const respondAs: Responses['respondAs'] = async (c, { workflowId, registry }, outputOf) => {
    c.header(WORKFLOW_ID, workflowId)
    const response = await respond(c, { registry, output: await outputOf() })
    response.headers.set(WORKFLOW_ID, workflowId)
    return response
  }

  const answer: Responses['answer'] = async (c, run) => {
    const { workflowId, isEarlier } = run
    const response = await respondAs(c, run, async () => {
      try {
        return (await deps.workflows.result(workflowId, c.get('principal'))).input
      } catch (error) {
        throw isEarlier ? asEarlier(error, workflowId) : error
      }
    })
    if (isEarlier) response.headers.set(REPLAYED, 'true')
    return response
  }

  return { respond, respondAs, answer }
}
