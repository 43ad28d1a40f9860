import { setTimeout as sleep } from 'node:timers/promises'
import { largeChange, outdated, runOperation } from '../../../core/automation/execution/index.js'
import type { ChainDefinition } from '../../../core/automation/language/index.js'
import { boundaryOf, chainOfOne, checkCalledParameters } from '../../../core/automation/planning/index.js'
import { callInline, inlineRunId } from '../../../core/automation/runs/index.js'
import { preferredWaitMs, type RequestContext } from '../../edge/index.js'
import { callKey, checkIdempotencyKey, IDEMPOTENCY_KEY, REPLAYED } from '../../idempotency/index.js'
import type { AutomationDependencies } from '../dependencies.js'
import { WORKFLOW_ID } from '../headers.js'
import type { Call, Calls } from './calls.js'
import { dryRunEntity } from './dry-run.js'
import type { Responses } from './responses/responses.js'
import { statusAddress } from './run-address.js'
import { limited } from './time-limit.js'

/** Whether a call must run as a workflow: chains, and operations that commit between their steps. */
const chainOf = ({ callable, request }: Call): ChainDefinition | undefined => {
  if (callable.kind === 'chain') return callable.chain
  const chain = chainOfOne(callable.operation, request.params)
  const [step] = chain.steps
  return step && boundaryOf(callable.operation, step) ? chain : undefined
}

const idempotencyKeyOf = (c: RequestContext): string | undefined =>
  checkIdempotencyKey(c.req.header(IDEMPOTENCY_KEY))

type StartedRun = { workflowId: string; isEarlier: boolean }

export type Execution = {
  /** Executes a call and responds with its output. */
  execute(c: RequestContext, call: Call): Promise<Response>
  /** `?dryRun=true`: rolls everything back and reports what the call would do. @returns the entity of the response. */
  dryRun(c: RequestContext, call: Call): Promise<object>
  /**
   * Executes a call in a run when it changes more documents than a request should wait for: responds with its output,
   * or, when that takes longer than the caller is patient, with the address of the run's status (202). Undefined for a
   * call that changes less, and for one with an `Idempotency-Key`, which finds no input to count when it is repeated.
   */
  executeLarge(c: RequestContext, call: Call): Promise<Response | undefined>
  /** Starts a run without waiting for it, or finds that of an earlier call, which the response then says. */
  start(c: RequestContext, call: Call, chain: ChainDefinition): Promise<StartedRun>
}

/** Executes calls: operations and inline chains in this process, other chains as workflows. */
export const createExecution = (
  deps: AutomationDependencies,
  { calls, answers }: { calls: Calls; answers: Responses },
): Execution => {
  const { requireInput, again } = calls
  const { respond, respondAs, answer } = answers

  const start: Execution['start'] = async (c, call, chain) => {
    const idempotencyKey = idempotencyKeyOf(c)
    if (call.callable.kind === 'operation') checkCalledParameters(call.callable.operation, call.request)
    if (idempotencyKey === undefined) await requireInput(call, chain)
    let isEarlier = false
    const onEarlier = (): void => {
      isEarlier = true
      c.header(REPLAYED, 'true')
    }
    return {
      workflowId: await deps.workflows.start({ ...call, chain, idempotencyKey, onEarlier }),
      isEarlier,
    }
  }

  const executeLarge: Execution['executeLarge'] = async (c, call) => {
    const { callable, registry, principal, isCurrent } = call
    if (callable.kind !== 'operation' || c.req.header(IDEMPOTENCY_KEY) !== undefined) return undefined
    const change = await largeChange(deps.segments(registry), call, deps.largeSubtree)
    if (!change) return undefined
    if (!((await isCurrent) ?? true)) throw outdated
    const run = await start(c, { ...call, request: change.request }, change.chain)
    const { workflowId } = run
    // How it ended is the answer's to say.
    const ended = deps.workflows.result(workflowId, principal).then(
      () => true,
      () => true,
    )
    if (await Promise.race([ended, sleep(preferredWaitMs(c), false, { ref: false })]))
      return answer(c, { ...run, registry })
    c.header(WORKFLOW_ID, workflowId)
    c.header('Location', statusAddress(deps, c, { id: callable.operation.id, workflowId }))
    return c.body(null, 202)
  }

  const executeInline = async (c: RequestContext, call: Call, chain: ChainDefinition): Promise<Response> => {
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

  /** The look at what is current overlaps with the start of the transaction, which has no effect before. */
  const executeAhead = async (
    c: RequestContext,
    call: Call,
    work: () => Promise<Response>,
  ): Promise<Response> => {
    const isCurrent = async (): Promise<boolean> => (await call.isCurrent) ?? true
    try {
      const response = await work()
      if (await isCurrent()) return response
    } catch (error) {
      // Whatever the error: an outdated call has had no effect, and may be right by what is current.
      if (await isCurrent()) throw error
    }
    c.header(WORKFLOW_ID, undefined)
    const now = await again(c, call)
    return now ? execute(c, now) : c.body(null, 404)
  }

  const executeOperation = async (c: RequestContext, call: Call): Promise<Response> => {
    const { principal, registry, request, callable, isCurrent } = call
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
        isCurrent,
      }),
    )
    return respond(c, { registry, output })
  }

  const execute: Execution['execute'] = async (c, call) => {
    const chain = chainOf(call)
    return executeAhead(c, call, async () => {
      if (!chain) return (await executeLarge(c, call)) ?? executeOperation(c, call)
      if (chain.execution === 'inline') return executeInline(c, call, chain)
      if (!((await call.isCurrent) ?? true)) throw outdated
      return answer(c, { ...(await start(c, call, chain)), registry: call.registry })
    })
  }

  return {
    start,
    execute,
    executeLarge,
    dryRun: async (c, call) => {
      const { callable, principal, registry, request } = call
      const chain =
        callable.kind === 'chain' ? callable.chain : chainOfOne(callable.operation, request.params)
      await requireInput(call, chain)
      return limited(c, async (signal) =>
        dryRunEntity(deps.segments(registry, call.requestId), { chain, request, principal, signal }),
      )
    },
  }
}
