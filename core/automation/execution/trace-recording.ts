import {
  type RecordedCall,
  type RunFailure,
  runFailureOf,
  type Trace,
  type TraceRecording,
  typeOf,
  type Value,
} from '../language/index.js'

/** Calls that are kept; of those before nothing is. */
const KEPT_CALLS = 1_000

/** What a trace says: a line each, those of lists below their heading. */
export const traceText = (lines: {
  [heading: string]: string | Date | readonly string[] | undefined
}): string =>
  Object.entries(lines)
    .flatMap(([heading, value]) => {
      if (value === undefined) return []
      if (value instanceof Date) return [`${heading}: ${value.toISOString()}`]
      if (typeof value === 'string') return [`${heading}: ${value}`]
      return value.length === 0 ? [] : [`${heading}:`, ...value.map((line) => `  ${line}`)]
    })
    .join('\n')

export const failureText = ({ code, status, message }: RunFailure): string => `${status} ${code}: ${message}`

const callText = ({ operation, principal, input, parameters, ...call }: RecordedCall): string =>
  traceText({
    Operation: operation,
    User: principal,
    State: call.failure ? 'FAILED' : 'COMPLETED',
    Started: call.startedAt,
    Ended: call.closedAt,
    Input: input,
    Parameters: parameters.length > 0 ? parameters.join(', ') : undefined,
    Failure: call.failure && failureText(call.failure),
  })

/** Turns recording on or off; what was recorded of single operations is forgotten with the turning off. */
export const recordTraces = (recording: TraceRecording, isOn: boolean): void => {
  if (isOn) recording.since ??= new Date()
  else Object.assign(recording, { since: undefined, calls: [] })
}

type Recordable = { operation: string; principal: string; input: Value; params: object }

/** Does a call of a single operation, and records it while traces are recorded. */
export const recordingCall = (
  recording: TraceRecording,
  call: Recordable,
  work: () => Promise<Value>,
): Promise<Value> => (recording.since ? recorded(recording, call, work) : work())

const recorded = async (
  recording: TraceRecording,
  { operation, principal, input, params }: Recordable,
  work: () => Promise<Value>,
): Promise<Value> => {
  const { since } = recording
  const begun = {
    operation,
    principal,
    input: typeOf(input),
    parameters: Object.keys(params),
    startedAt: new Date(),
  }
  const keep = (failure?: RunFailure): void => {
    if (recording.since !== since) return
    const ended = { ...begun, closedAt: new Date(), ...(failure && { failure }) }
    recording.calls = [...recording.calls, ended].slice(-KEPT_CALLS)
  }
  try {
    const output = await work()
    keep()
    return output
  } catch (error) {
    keep(runFailureOf(error))
    throw error
  }
}

/** The recorded calls of an operation. */
export const tracedCalls = ({ calls }: TraceRecording, operation: string): readonly Trace[] =>
  calls
    .filter((call) => call.operation === operation)
    .map((call) => ({ startedAt: call.startedAt, text: async () => callText(call) }))
