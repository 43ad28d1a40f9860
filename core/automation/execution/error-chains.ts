import type { ArchivoltError, ErrorCode } from '../../platform/errors/index.js'
import {
  type ChainStep,
  type ErrorChain,
  finalFailure,
  type Incident,
  type OperationServices,
  type Value,
  type Variables,
  VOID,
  withoutRecord,
} from '../language/index.js'
import { briefly } from '../run-store/index.js'

/** What an error chain reads of a failure; it travels from an activity to the next through the workflow. */
export type ChainFailure = { code: ErrorCode; status: number; message: string }

/** Simple names of the reference platform's exceptions, which filters of error chains compare. */
const EXCEPTION_NAMES: { readonly [code in ErrorCode]?: string } = {
  notFound: 'DocumentNotFoundException',
  forbidden: 'DocumentSecurityException',
  conflict: 'ConcurrentUpdateException',
  invalid: 'DocumentValidationException',
  timeout: 'TransactionRuntimeException',
}
const OTHER_EXCEPTION = 'OperationException'

/** Adds what an error chain and its filters read of a failure (reference: automation.md §6, error chains). */
const withFailure = (variables: Variables, { code, status, message }: ChainFailure): Variables => {
  const name = EXCEPTION_NAMES[code] ?? OTHER_EXCEPTION
  return {
    ...variables,
    Exception: { type: 'string', value: name },
    exceptionName: { type: 'string', value: name },
    exceptionObject: { type: 'json', value: { name, code, status, message } },
  }
}

const failureOf = ({ code, status, message }: ArchivoltError): ChainFailure => ({ code, status, message })

/** An input with the variables beside it. */
type Around = { input: Value; variables: Variables }

export type StepsRun = Around & { steps: readonly ChainStep[] }

/** How far steps have come. */
export type Progress = {
  /** Of the step that runs. */
  input: Value
  /** Each step is to be one that can be undone alone. */
  isUndoable: boolean
}

/** What error chains need of the place in a run where something fails. */
export type ErrorChainPlace = {
  /** Work that is undone alone when it throws. */
  attempt<Result>(work: (inner: ErrorChainPlace) => Promise<Result>): Promise<Result>
  runSteps(run: StepsRun & { progress?: Progress }): Promise<Value>
  /** By id or alias. The variables are changed in place. */
  runChain(id: string, around: Around): Promise<Value>
  evaluate(expression: string, around: Around): Promise<Value>
  log: OperationServices['log']
  report(incident: Incident): void
}

/** What steps that have error chains have come to. */
export type Outcome = {
  output: Value
  /** An error chain has run: the output is its, and nothing of the chain that failed is to follow. */
  isCaught: boolean
}

const isTrue = (value: Value): boolean =>
  (value.type === 'boolean' && value.value) || (value.type === 'string' && value.value === 'true')

/** Whether a filter lets its error chain run; one that cannot be evaluated does not. */
const holds = async (
  place: ErrorChainPlace,
  filter: string | undefined,
  around: Around,
): Promise<boolean> => {
  if (filter === undefined) return true
  try {
    return isTrue(await place.attempt((inner) => inner.evaluate(filter, around)))
  } catch (error) {
    const failure = finalFailure(error)
    if (!failure) throw error
    const { message } = failure
    place.log('warn', 'The filter of an error chain cannot be evaluated', { filter, error: message })
    return false
  }
}

type Caught = Around & {
  onError: readonly ErrorChain[]
  failure: ChainFailure
  /** The chain that has failed, where it is one that the run's own calls. */
  chain?: string | undefined
}

/** Of those whose filter holds the one of highest priority, and the last of equals. */
const findErrorChain = async (
  place: ErrorChainPlace,
  { onError, input, variables, failure }: Caught,
): Promise<ErrorChain | undefined> => {
  const around = { input, variables: withFailure(variables, failure) }
  let found: ErrorChain | undefined
  for (const candidate of onError) {
    if (found && candidate.priority < found.priority) continue
    if (await holds(place, candidate.filter, around)) found = candidate
  }
  return found
}

/**
 * Runs the error chain that a failure calls for. The variables are changed in place.
 *
 * @param errorChain when it is found already.
 * @returns undefined when none holds.
 */
export const runErrorChain = async (
  place: ErrorChainPlace,
  { errorChain, ...caught }: Caught & { errorChain?: ErrorChain | undefined },
): Promise<Value | undefined> => {
  const { input, variables, failure, chain } = caught
  const found = errorChain ?? (await findErrorChain(place, caught))
  if (!found) return undefined
  Object.assign(variables, withFailure({}, failure))
  const about = {
    kind: 'errorChain',
    errorChain: found.chain,
    ...(chain !== undefined && { chain }),
    after: briefly(failure),
  } as const
  try {
    const output = await place.runChain(found.chain, { input, variables })
    place.report({ ...about, outcome: 'completed' })
    return output
  } catch (error) {
    const own = finalFailure(error)
    if (own) place.report({ ...about, outcome: 'failed', failure: briefly(own) })
    throw error
  }
}

/** Thrown to undo what failed before its error chain runs. */
class Undone extends Error {
  override readonly name = 'Undone'
  constructor(
    readonly failed: unknown,
    /** Undefined when it is not looked for yet, null when there is none. */
    readonly errorChain?: ErrorChain | null,
  ) {
    super('What failed is undone before its error chain runs')
  }
}

/**
 * Runs steps; when they fail for good, the error chain that is to run then, in the same transaction. Before it the
 * steps are undone, or, when it keeps them, the one that failed alone. Variables stay as they are: they are the run's.
 *
 * @throws what the steps throw when no error chain holds, or could help: a lost race is the whole transaction's.
 */
export const runCatching = async (
  place: ErrorChainPlace,
  { onError = [], chain, ...run }: StepsRun & { onError?: readonly ErrorChain[] | undefined; chain?: string },
): Promise<Outcome> => {
  if (onError.length === 0) return { output: await place.runSteps(run), isCaught: false }
  const { variables } = run
  const mayKeep = onError.some(({ rollback }) => !rollback)
  const progress: Progress = { input: run.input, isUndoable: mayKeep }

  const attempted = async (inner: ErrorChainPlace): Promise<Outcome> => {
    try {
      return { output: await inner.runSteps({ ...run, progress }), isCaught: false }
    } catch (error) {
      const failure = finalFailure(error)
      // Unless steps can be undone alone, a failed statement leaves a transaction that answers nothing any more.
      if (!failure || !mayKeep) throw new Undone(error)
      const caught = { onError, chain, input: progress.input, variables, failure: failureOf(failure) }
      const errorChain = await findErrorChain(inner, caught)
      if (!errorChain || errorChain.rollback) throw new Undone(error, errorChain ?? null)
      const output = await runErrorChain(inner, { ...caught, errorChain })
      return { output: output ?? VOID, isCaught: true }
    }
  }

  try {
    return await place.attempt(attempted)
  } catch (error) {
    if (!(error instanceof Undone)) throw error
    const failure = finalFailure(error.failed)
    if (!failure || error.errorChain === null) throw error.failed
    // The work is undone: what was read of its documents is not so.
    for (const [name, value] of Object.entries(variables)) variables[name] = withoutRecord(value)
    const output = await runErrorChain(place, {
      onError,
      chain,
      input: withoutRecord(run.input),
      variables,
      failure: failureOf(failure),
      errorChain: error.errorChain,
    })
    if (output === undefined) throw error.failed
    return { output, isCaught: true }
  }
}
