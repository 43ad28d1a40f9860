import { fail, isArchivoltError } from '../../../platform/errors/index.js'
import { giveTurn, isTurnOver, throwIfStopped } from '../../../platform/limits/index.js'
import {
  CHAIN_PARAMETERS,
  type ChainDefinition,
  type ChainStep,
  chainParameters,
  type Method,
  type NestedCall,
  type Operation,
  parametersValue,
  requireMayCall,
  typeOf,
  type Value,
  type Variables,
} from '../../language/index.js'
import { type ErrorChainPlace, type Progress, runCatching, type StepsRun } from '../error-chains.js'
import { actorOf, innerActing, isLoggedIn } from './acting.js'
import { contextOf, evaluationOf } from './context.js'
import { attemptIn, type Frame, type RunNested } from './frame.js'
import { handedOn, handOn, unquoted } from './hand-on.js'
import { evaluateExpression, evaluateParameters, resolveParameters } from './parameters.js'
import { mapInput, runMethod } from './run-method.js'
import { chooseMethods, typedStep } from './typed-step.js'

/** Nested calls deeper than this are a chain that calls itself by an expression. */
const MAX_DEPTH = 30

/** @param inner a place of its own. */
const runChain = async (
  inner: Frame,
  { chain, call }: { chain: ChainDefinition; call: NestedCall & { variables: Variables } },
): Promise<Value> => {
  const { variables } = call
  const outer = variables[CHAIN_PARAMETERS]
  variables[CHAIN_PARAMETERS] = parametersValue(chain, { ...chainParameters(variables), ...call.parameters })
  try {
    const run = {
      steps: chain.steps,
      input: call.input,
      variables,
      onError: chain.onError,
      chain: chain.id,
    }
    return (await runCatching(placeOf(inner), run)).output
  } finally {
    if (outer) variables[CHAIN_PARAMETERS] = outer
    else delete variables[CHAIN_PARAMETERS]
  }
}

/** See `RunNested`. */
export const runNested: RunNested = async (frame, caller, call) => {
  if (frame.depth >= MAX_DEPTH)
    throw fail('badRequest', `${call.id}: calls are nested deeper than ${MAX_DEPTH}`)
  const depth = frame.depth + 1
  const variables = call.isolate || call.variables ? { ...caller, ...call.variables } : caller
  const step = typedStep(frame, { operation: call.id, params: {} })
  // A caller may not reach by way of the Run… family what it may not call itself.
  if (!frame.isDeployed) requireMayCall(frame.session, step)
  const output =
    step.callable.kind === 'chain'
      ? await runChain(
          { ...frame, depth, isDeployed: true, acting: innerActing(frame) },
          { chain: step.callable.chain, call: { ...call, variables } },
        )
      : await runSteps(
          { ...frame, depth },
          {
            steps: [{ operation: call.id, params: call.parameters ?? {}, isLiteral: true }],
            input: call.input,
            variables,
          },
        )
  if (variables !== caller && !call.isolate) {
    const own = new Set(Object.keys(call.variables ?? {}))
    for (const [name, value] of Object.entries(variables)) if (!own.has(name)) caller[name] = value
    for (const name of Object.keys(caller)) if (!Object.hasOwn(variables, name)) delete caller[name]
  }
  return output
}

/** A chain as a step of another: its parameters are evaluated for the caller, its variables are the caller's. */
const runChainStep = async (
  frame: Frame,
  { step, input, variables }: { step: ChainStep; input: Value; variables: Variables },
): Promise<Value> => {
  const evaluation = evaluationOf(frame, contextOf(frame, input, variables))
  const parameters = await evaluateParameters(step, evaluation)
  return runNested(frame, variables, { id: step.operation, input, isolate: false, parameters })
}

const runOperation = async (
  frame: Frame,
  {
    operation,
    method,
    step,
    input,
    variables,
  }: {
    operation: Operation
    method: Method
    step: ChainStep
    input: Value
    variables: Variables
  },
): Promise<Value> => {
  const context = contextOf(frame, input, variables)
  const actors = frame.acting.stack.length
  const params = await resolveParameters(operation, { step, ...evaluationOf(frame, context) })
  const output = await mapInput(
    { operation, method, input, params, reader: actorOf(frame).reader, signal: frame.signal },
    (element) => runMethod(method, { context, input: element, params }),
  )
  const result = method.output === 'void' && method.input === 'void' ? context.input : output
  if (frame.acting.stack.length >= actors) return result
  handOn(variables)
  return handedOn(result)
}

/** Clients know failures by it (reference: automation.md §5). */
const FAILED = 'Failed to invoke operation'

/** The beginning of such a message, with the operation. */
const STEP = new RegExp(`^${FAILED}: [\\w.-]+`)
const startOf = (error: unknown): string =>
  (isArchivoltError(error) && error.message.match(STEP)?.[0]) || FAILED

/** Names the step at which a run failed; the error keeps its code. */
const atStep = (error: unknown, step: ChainStep): unknown =>
  isArchivoltError(error) && !error.message.startsWith(FAILED)
    ? fail(error.code, `${FAILED}: ${step.operation}: ${error.message}`, {
        cause: error,
        details: error.details,
        retryable: error.retryable,
      })
    : error

const runSteps = async (
  frame: Frame,
  { steps, input, variables, progress }: StepsRun & { progress?: Progress },
): Promise<Value> => {
  const { acting } = frame
  const actors = acting.stack.length
  // A call that comes from outside a chain, by a script for one, is not the end of one.
  const handsOn = (): boolean => acting.hasLoggedIn && !steps.every((step) => step.isLiteral)
  const chosen = chooseMethods(frame, steps, typeOf(input))
  let current = input
  try {
    for (const { step, callable, method } of chosen) {
      if (isTurnOver()) await giveTurn()
      throwIfStopped(frame.signal)
      if (progress) progress.input = current
      const runStep = (inner: Frame): Promise<Value> =>
        callable.kind === 'chain'
          ? runChainStep(inner, { step, input: current, variables })
          : runOperation(inner, { operation: callable.operation, method, step, input: current, variables })
      try {
        current = progress?.isUndoable ? await attemptIn(frame, runStep) : await runStep(frame)
      } catch (error) {
        const failed = atStep(error, step)
        throw isLoggedIn(frame) ? unquoted(frame, failed, `${startOf(failed)}: it`) : failed
      }
    }
    return handsOn() ? handedOn(current) : current
  } finally {
    if (handsOn()) {
      acting.stack.splice(actors)
      if (progress) progress.input = handedOn(progress.input)
      handOn(variables)
    }
  }
}

/** This place in a run as error chains see it. */
export const placeOf = (frame: Frame): ErrorChainPlace => ({
  attempt: (work) => attemptIn(frame, (inner) => work(placeOf(inner))),
  runSteps: (run) => runSteps(frame, run),
  runChain: (id, { input, variables }) =>
    runNested({ ...frame, isDeployed: true }, variables, { id, input, isolate: false }),
  evaluate: (text, { input, variables }) =>
    evaluateExpression(text, {
      context: contextOf(frame, input, variables),
      expressions: frame.expressions,
      reader: frame.reader,
    }),
  log: frame.services.log,
  report: frame.report,
})
