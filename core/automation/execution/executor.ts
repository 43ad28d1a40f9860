import {
  type ChainStep,
  type ErrorChain,
  type NestedCall,
  type OperationContext,
  type Value,
  type Variables,
  VOID,
} from '../language/index.js'
import { type Outcome, runCatching, runErrorChain, type StepsRun } from './error-chains.js'
import type { Execution } from './execution.js'
import { contextOf, evaluationOf } from './steps/context.js'
import { type Frame, frameOf } from './steps/frame.js'
import { evaluateParameters, resolveParameters } from './steps/parameters.js'
import { placeOf, runNested } from './steps/run-steps.js'
import { typedStep } from './steps/typed-step.js'

/** The outermost place for steps that belong together: they are of a deployed chain, or of a call. */
const open = (execution: Execution, steps: readonly ChainStep[]): Frame =>
  frameOf(execution, { isDeployed: steps.every((step) => !step.isLiteral), runNested })

/** What operations may use, for work of the product itself: it is deployed. */
export const openContext = (execution: Execution): OperationContext =>
  contextOf(open(execution, []), VOID, {})

/**
 * Runs steps in the execution's transaction, each operation's output becoming the next one's input. The
 * given variables are changed in place.
 *
 * @param run `onError`: the error chains of the chain that the steps belong to; see `runCatching`.
 * @throws what an operation throws, with its id before the message; badRequest when types do not fit.
 */
export const executeCatching = (
  execution: Execution,
  run: StepsRun & { onError?: readonly ErrorChain[] | undefined },
): Promise<Outcome> => runCatching(placeOf(open(execution, run.steps)), run)

/** Runs the error chain that a failure of several transactions calls for: see `runErrorChain`. */
export const executeErrorChain = (
  execution: Execution,
  caught: Parameters<typeof runErrorChain>[1],
): Promise<Value | undefined> => runErrorChain(placeOf(open(execution, [])), caught)

/**
 * Runs one chain or operation by id in the execution's transaction, e.g. for an element of a loop. The
 * given variables are changed in place unless the call isolates them.
 *
 * @param caller the step that names the target.
 * @throws notFound for an operation that is kept from the caller, unless a deployed chain names it.
 */
export const executeTarget = (
  execution: Execution,
  { caller, variables, ...call }: Omit<NestedCall, 'variables'> & { caller: ChainStep; variables: Variables },
): Promise<Value> => runNested(open(execution, [caller]), variables, call)

/**
 * The values of a boundary's parameters as the run stands: its operation's, by their rules of look-up and
 * default, or as they are written for a chain. Boundaries run their targets elsewhere.
 */
export const resolveStep = async (
  execution: Execution,
  { step, input, variables }: { step: ChainStep; input: Value; variables: Variables },
): Promise<{ [name: string]: unknown }> => {
  const frame = open(execution, [step])
  const evaluation = evaluationOf(frame, contextOf(frame, input, variables))
  const { callable } = typedStep(frame, step)
  return callable.kind === 'operation'
    ? resolveParameters(callable.operation, { step, ...evaluation })
    : evaluateParameters(step, evaluation)
}
