import type { Principal } from '../../core/access/security/index.js'
import { runOperation, withinTimeLimit } from '../../core/automation/execution/index.js'
import type { ChainDefinition, Registry, Value } from '../../core/automation/language/index.js'
import { boundaryOf, chainOfOne, checkCalledParameters } from '../../core/automation/planning/index.js'
import { fail, isArchivoltError } from '../../core/platform/errors/index.js'
import type { RequestContext } from '../edge/index.js'
import { callKey, checkIdempotencyKey, IDEMPOTENCY_KEY } from '../idempotency/index.js'
import type { Call, Calls } from './calls.js'
import type { AutomationDependencies } from './dependencies.js'
import { dryRun } from './dry-run.js'
import { callInline, inlineRunId } from './inline.js'
import { respondWith } from './respond.js'

/** The header that names the run of an answer. */
export const WORKFLOW_ID = 'Archivolt-Workflow-Id'

/** The header of an answer that tells of what an earlier call with the same `Idempotency-Key` has begun. */
export const REPLAYED = 'Idempotent-Replayed'

/** Seconds that the transaction of a call may last when its caller says nothing, and at most. */
const USUAL_SECONDS = 300
const MOST_SECONDS = 3_600

/** Within the caller's own limit on the transaction, in seconds; what is no number is passed over (automation.md §3). */
const limited = <Result>(
  c: RequestContext,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const given = Number(c.req.header('Nuxeo-Transaction-Timeout'))
  const seconds = given > 0 ? Math.min(given, MOST_SECONDS) : USUAL_SECONDS
  return withinTimeLimit({ signal: c.req.raw.signal, seconds }, work)
}

/** What must run as a workflow: chains, and operations that commit on their way. */
const chainOf = ({ callable, request }: Call): ChainDefinition | undefined => {
  if (callable.kind === 'chain') return callable.chain
  const chain = chainOfOne(callable.operation, request.params)
  const [step] = chain.steps
  return step && boundaryOf(callable.operation, step) ? chain : undefined
}

const idempotencyKeyOf = (c: RequestContext): string | undefined =>
  checkIdempotencyKey(c.req.header(IDEMPOTENCY_KEY))

type StartedRun = { workflowId: string; isEarlier: boolean }

type AnsweredRun = { workflowId: string; registry: Registry; isEarlier?: boolean }

/** That a failure is an old one, and how to have another outcome. */
const asEarlier = (error: unknown, workflowId: string): unknown => {
  if (!isArchivoltError(error)) return error
  const { code, message, details } = error
  const hint = `this is what the run ${workflowId} of an earlier call with this ${IDEMPOTENCY_KEY} came to, and does until it is retried (archivolt retry ${workflowId})`
  return fail(code, `${message}; ${hint}`, { cause: error, details })
}

export type Execution = {
  /** Does what a call asks for, and answers with what it came to. */
  execute(c: RequestContext, call: Call): Promise<Response>
  /** `?dryRun=true`: keeps nothing, and tells what would be done. @returns the entity of the answer. */
  rehearse(c: RequestContext, call: Call): Promise<object>
  /** Starts a run that nobody waits for, or finds that of an earlier call, which the answer then says. */
  start(c: RequestContext, call: Call, chain: ChainDefinition): Promise<StartedRun>
  /** Answers with the output of a run. */
  answer(c: RequestContext, run: AnsweredRun): Promise<Response>
}

/** Runs calls where they belong: operations and inline chains in this process, other chains as workflows. */
export const createExecution = (deps: AutomationDependencies, { requireInput, again }: Calls): Execution => {
  const { runs } = deps

  const respond = async (
    c: RequestContext,
    { registry, output }: { registry: Registry; output: Value },
  ): Promise<Response> => {
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

  /** The same, naming the run, also when it fails meanwhile. */
  const respondAs = async (
    c: RequestContext,
    { workflowId, registry }: { workflowId: string; registry: Registry },
    outputOf: () => Promise<Value>,
  ): Promise<Response> => {
    c.header(WORKFLOW_ID, workflowId)
    const response = await respond(c, { registry, output: await outputOf() })
    response.headers.set(WORKFLOW_ID, workflowId)
    return response
  }

  const answer: Execution['answer'] = async (c, run) => {
    const { workflowId, isEarlier } = run
    const response = await respondAs(c, run, async () => {
      try {
        return (await runs.result(workflowId, c.get('principal'))).input
      } catch (error) {
        throw isEarlier ? asEarlier(error, workflowId) : error
      }
    })
    if (isEarlier) response.headers.set(REPLAYED, 'true')
    return response
  }

  const start: Execution['start'] = async (c, call, chain) => {
    const idempotencyKey = idempotencyKeyOf(c)
    if (call.callable.kind === 'operation') checkCalledParameters(call.callable.operation, call.request)
    if (idempotencyKey === undefined) await requireInput(call, chain)
    let isEarlier = false
    const onEarlier = (): void => {
      isEarlier = true
      c.header(REPLAYED, 'true')
    }
    return { workflowId: await runs.start({ ...call, chain, idempotencyKey, onEarlier }), isEarlier }
  }

  const callOnce = async (c: RequestContext, call: Call, chain: ChainDefinition): Promise<Response> => {
    const { principal, registry, isCurrent } = call
    const idempotencyKey = idempotencyKeyOf(c)
    const once = idempotencyKey !== undefined
    if (!once) await requireInput(call, chain)
    const runId = inlineRunId({ chain, principal }, idempotencyKey)
    return respondAs(c, { workflowId: runId, registry }, () =>
      limited(c, async (signal) =>
        callInline(
          deps.segments(registry, call.requestId),
          { ...call, chain, signal, isCurrent },
          { runId, once },
        ),
      ),
    )
  }

  /** The look for what is deployed shares its time with the beginning of the transaction, which does nothing before. */
  const executeInline = async (c: RequestContext, call: Call, chain: ChainDefinition): Promise<Response> => {
    try {
      return await callOnce(c, call, chain)
    } catch (error) {
      // Whatever it is: an outdated call has done nothing, and what was wrong with it may not be so any more.
      if (call.isCurrent === undefined || (await call.isCurrent)) throw error
      c.header(WORKFLOW_ID, undefined)
      const now = await again(c, call)
      return now ? execute(c, now) : c.body(null, 404)
    }
  }

  const executeOperation = async (c: RequestContext, call: Call): Promise<Response> => {
    const { principal, registry, request, callable } = call
    const operation = callable.kind === 'operation' ? callable.operation.id : callable.chain.id
    const idempotencyKey = c.req.header(IDEMPOTENCY_KEY)
    const runsOthers = callable.kind === 'operation' && callable.operation.callsTarget
    if (runsOthers && idempotencyKey === undefined) await requireInput(call)
    const output = await limited(c, async (signal) =>
      runOperation(deps.segments(registry, call.requestId), {
        principal,
        call: { operation, ...request },
        key: callKey(idempotencyKey, { principal, asked: [operation, request] }),
        signal,
      }),
    )
    return respond(c, { registry, output })
  }

  const execute: Execution['execute'] = async (c, call) => {
    const chain = chainOf(call)
    if (!chain) return executeOperation(c, call)
    if (chain.execution === 'inline') return executeInline(c, call, chain)
    return answer(c, { ...(await start(c, call, chain)), registry: call.registry })
  }

  return {
    start,
    answer,
    execute,
    rehearse: async (c, call) => {
      const { callable, principal, registry, request } = call
      const chain =
        callable.kind === 'chain' ? callable.chain : chainOfOne(callable.operation, request.params)
      await requireInput(call, chain)
      return limited(c, async (signal) =>
        dryRun(deps.segments(registry, call.requestId), { chain, request, principal, signal }),
      )
    },
  }
}
