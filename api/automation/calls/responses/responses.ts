import type { Principal } from '../../../../core/access/security/index.js'
import type { Registry, Value } from '../../../../core/automation/language/index.js'
import { fail, isArchivoltError } from '../../../../core/platform/errors/index.js'
import type { RequestContext } from '../../../edge/index.js'
import { IDEMPOTENCY_KEY, REPLAYED } from '../../../idempotency/index.js'
import type { AutomationDependencies } from '../../dependencies.js'
import { WORKFLOW_ID } from '../../headers.js'
import { respondWith } from './respond.js'

export type FinishedRun = { workflowId: string; registry: Registry; isEarlier?: boolean }

/** Adds to an error that it is the outcome of an earlier call, and how to get another one. */
const asEarlier = (error: unknown, workflowId: string): unknown => {
  if (!isArchivoltError(error)) return error
  const { code, message, details } = error
  const hint = `this is the outcome of run ${workflowId}, started by an earlier call with this ${IDEMPOTENCY_KEY}; archivolt retry ${workflowId} retries it`
  return fail(code, `${message}; ${hint}`, { cause: error, details })
}

export type Responses = {
  /** Responds with the output of a call. */
  respond(c: RequestContext, result: { registry: Registry; output: Value }): Promise<Response>
  /** The same, naming the run in a header, also when it fails. */
  respondAs(
    c: RequestContext,
    run: { workflowId: string; registry: Registry },
    outputOf: () => Promise<Value>,
  ): Promise<Response>
  /** Waits for a run and responds with its output. */
  answer(c: RequestContext, run: FinishedRun): Promise<Response>
}

/** Writes the outputs of calls as responses, by the headers of their requests. */
export const createResponses = (deps: AutomationDependencies): Responses => {
  const respond: Responses['respond'] = async (c, { registry, output }) => {
    if (c.req.header('X-NXVoidOperation')?.toLowerCase() === 'true') return c.body(null, 204)
    if ((output.type === 'blob' || output.type === 'blobs') && output.isRecorded)
      throw fail(
        'conflict',
        'Idempotency-Key: the file of this earlier call is not stored; send another key to run the call again',
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
