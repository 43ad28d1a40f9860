import type { Principal } from '../../../access/security/index.js'
import type { PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { runInline, type SegmentDependencies } from '../../execution/index.js'
import type { ChainDefinition, Registry, Value, Variables } from '../../language/index.js'
import type { RunRequest } from '../../planning/index.js'
import type { CallKey, EndedInlineRun, InlineRequest } from '../../run-store/index.js'
import { newRunId } from '../ids/called.js'
import { digest } from '../ids/digest.js'

/** The call of an inline chain. */
export type InlineChainCall = {
  chain: ChainDefinition
  request: RunRequest
  principal: Principal
  requestId: string
  signal: AbortSignal
  /** See `CallContext`. */
  isCurrent?: Promise<boolean> | undefined
}

/** What must be the same for a key to mean the same call. */
const inlineFingerprint = ({ chain, request }: Pick<InlineChainCall, 'chain' | 'request'>): string =>
  digest([chain.id, request])

/** The id of the run that a call starts, or that an earlier call with the same key started. */
export const inlineRunId = (
  { chain, principal }: Pick<InlineChainCall, 'chain' | 'principal'>,
  idempotencyKey: string | undefined,
): string => newRunId({ chainId: chain.id, execution: 'inline', principal: principal.name, idempotencyKey })

/**
 * Runs an inline chain in this process.
 *
 * @param once whether its outcome is stored, so that it runs once under the same id.
 * @param fingerprint of the call; absent: that of this call.
 */
export const callInline = (
  segments: SegmentDependencies,
  { chain, request, principal, requestId, signal, isCurrent }: InlineChainCall,
  { runId, once, fingerprint }: { runId: string; once: boolean; fingerprint?: string },
): Promise<Value> => {
  const { input } = request
  // The fingerprint is needed only for calls that are stored or fail.
  const fingerprintOf = (): string => fingerprint ?? inlineFingerprint({ chain, request })
  const keyOf = (): CallKey => ({ workflowId: runId, step: 'inline', fingerprint: fingerprintOf() })
  return runInline(segments, {
    principal,
    signal,
    isCurrent,
    ...(once && { key: keyOf() }),
    chain,
    call: request,
    run: { runId, requestId, ...(input.type === 'document' && { documentId: input.id }) },
    // The database does not preserve the order of keys, so that the stored request has another fingerprint.
    request: () => ({ ...request, fingerprint: fingerprintOf() }) as unknown as InlineRequest,
  })
}

/** A request as it was recorded; see `callInline`. */
const recordedRequest = ({ input, params, variables }: InlineRequest): RunRequest => ({
  input: input as unknown as Value,
  params: params as { [name: string]: PropertyValue },
  variables: variables as unknown as Variables,
})

/**
 * Retries a failed inline run, by the current chain: its effects were rolled back.
 *
 * @throws conflict for a run that has not failed; notFound for a chain that is gone; what the chain fails with.
 */
export const retryInline = async (
  segments: SegmentDependencies,
  {
    run,
    registry,
    ...call
  }: Pick<InlineChainCall, 'principal' | 'requestId' | 'signal'> & {
    run: EndedInlineRun & { request?: InlineRequest }
    registry: Registry
  },
): Promise<Value> => {
  if (!run.failure || !run.request)
    throw fail('conflict', `The run ${run.runId} has not failed: it is COMPLETED`)
  const found = registry.get(run.chainId)
  if (found.kind !== 'chain') throw fail('notFound', `The chain '${run.chainId}' is no longer deployed`)
  const request = recordedRequest(run.request)
  const fingerprint = String(run.request.fingerprint)
  return callInline(
    segments,
    { ...call, chain: found.chain, request },
    { runId: run.runId, once: true, fingerprint },
  )
}
