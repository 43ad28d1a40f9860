import type { PropertyValue, Session } from '../documents/index.js'
import { fail, isArchivoltError } from '../errors/index.js'
import type { ExpressionEngine } from '../expressions/index.js'
import type { ScriptEngine, ScriptNames } from '../scripting/index.js'
import type { Principal } from '../security/index.js'
import { type Acting, actingAnew, actorOf, innerActing, openActing } from './acting.js'
import { answerQuestion } from './answers.js'
import { getBulk, submitBulk } from './bulk.js'
import type { BulkStore } from './bulk-store.js'
import type { ChainDefinition, ChainParameter, ChainStep, ErrorChain } from './chain.js'
import { createDocumentReader, type DocumentReader } from './documents.js'
import {
  type ErrorChainPlace,
  type Outcome,
  type Progress,
  runCatching,
  runErrorChain,
  type StepsRun,
} from './error-chains.js'
import { mayCall } from './may-call.js'
import type { Method, NestedCall, Operation, OperationContext, OperationServices } from './operation.js'
import { evaluateExpression, evaluateParameters, resolveParameters } from './parameters.js'
import type { Callable, Registry } from './registry.js'
import { CHAIN_PARAMETERS } from './scope.js'
import { openScripts, runScript, type TransactionScripts } from './script-run.js'
import { createScriptTable, forgetRecords } from './script-values.js'
import type { Sequences } from './sequences.js'
import { mapInput, runMethod } from './step.js'
import { throwIfStopped } from './time-limit.js'
import type { TransientStore } from './transient.js'
import { choosePath } from './typing.js'
import { typeOf, type Value, type Variables, VOID } from './values.js'

/** What every run in a process shares. */
export type ExecutorDependencies = {
  expressions: ExpressionEngine
  scripts: ScriptEngine
  services: OperationServices
}

/** One transaction's worth of execution. */
export type Execution = ExecutorDependencies & {
  session: Session
  /** The same for somebody else, in the same transaction. */
  sessionAs(principal: Principal): Session
  transient: TransientStore
  sequences: Sequences
  bulk: BulkStore
  /** Everything deployed, without what a run carries. */
  registry: Registry
  /** Finds what a step names: the chains that the run carries, then the product's operations. */
  find(id: string): Callable | undefined
  /** The same, as scripts write it. */
  scriptNames(): ScriptNames
  signal: AbortSignal
  /** Work that is undone alone when it throws; it is given the execution to go through. */
  attempt<Result>(work: (execution: Execution) => Promise<Result>): Promise<Result>
}

/** Nested calls deeper than this are a chain that calls itself by an expression. */
const MAX_DEPTH = 30

type Frame = Omit<Execution, 'scripts'> & {
  scripts: TransactionScripts
  reader: DocumentReader
  acting: Acting
  depth: number
  /** Steps of a deployed chain: who deployed it answers for what it calls. */
  isDeployed: boolean
}

const frameOf = (execution: Execution, { isDeployed }: Pick<Frame, 'isDeployed'>): Frame => ({
  ...execution,
  scripts: openScripts(execution.scripts, execution.session.principal.name),
  reader: createDocumentReader(execution.session, execution.transient),
  acting: openActing(),
  depth: 0,
  isDeployed,
})

/** The same place in a run, going through a savepoint of its transaction. Scripts read documents anew there, and after. */
const attemptIn = async <Result>(frame: Frame, work: (inner: Frame) => Promise<Result>): Promise<Result> => {
  const { scripts, depth, isDeployed } = frame
  const result = await frame.attempt((execution) =>
    work({
      ...execution,
      signal: frame.signal,
      scripts: { ...scripts, table: createScriptTable() },
      reader: createDocumentReader(execution.session, execution.transient),
      acting: actingAnew(frame),
      depth,
      isDeployed,
    }),
  )
  forgetRecords(scripts.table)
  return result
}

type TypedStep = { id: string; step: ChainStep; methods: readonly Method[]; callable: Callable }

/** A chain as a step: its steps decide what fits, so it takes anything and gives what they give. */
const CHAIN_METHOD: Method = { input: 'object', output: 'object', run: async () => VOID }

const typedStep = (frame: Frame, step: ChainStep): TypedStep => {
  const callable = frame.find(step.operation)
  if (!callable) throw fail('notFound', `No operation or chain '${step.operation}' is registered`)
  const methods = callable.kind === 'operation' ? callable.operation.methods : [CHAIN_METHOD]
  return { id: step.operation, step, methods, callable }
}

const jsonVariable = (value: { [name: string]: PropertyValue }): Value => ({ type: 'json', value })

const chainParameters = (variables: Variables): { [name: string]: PropertyValue } => {
  const current = variables[CHAIN_PARAMETERS]
  return current?.type === 'json' &&
    current.value &&
    typeof current.value === 'object' &&
    !Array.isArray(current.value)
    ? current.value
    : {}
}

/**
 * Values for a chain's declared parameters: what the caller gives, else the first declared value.
 *
 * @throws badRequest naming a required parameter that has neither.
 */
export const withDefaults = (
  declared: readonly ChainParameter[],
  given: { [name: string]: PropertyValue },
): { [name: string]: PropertyValue } => {
  const values = { ...given }
  for (const { name, isRequired, values: hints } of declared) {
    if (values[name] !== undefined) continue
    if (hints[0] !== undefined) values[name] = hints[0]
    else if (isRequired) throw fail('badRequest', `Parameter ${name} is required`)
  }
  return values
}

const runChain = async (
  frame: Frame,
  { chain, call }: { chain: ChainDefinition; call: NestedCall & { variables: Variables } },
): Promise<Value> => {
  const { variables } = call
  const outer = variables[CHAIN_PARAMETERS]
  const merged = withDefaults(chain.params, { ...chainParameters(variables), ...call.parameters })
  variables[CHAIN_PARAMETERS] = jsonVariable(merged)
  const inner = { ...frame, isDeployed: true, acting: innerActing(frame) }
  try {
    const run = { steps: chain.steps, input: call.input, variables, onError: chain.onError }
    return (await runCatching(placeOf(inner), run)).output
  } finally {
    if (outer) variables[CHAIN_PARAMETERS] = outer
    else delete variables[CHAIN_PARAMETERS]
  }
}

/** A caller may not reach by way of the Run… family what it may not call itself. */
const requireCallable = (frame: Frame, { id, callable }: Pick<TypedStep, 'id' | 'callable'>): void => {
  // Nobody here knows how the call came: what is bound to HTTPS must be called itself.
  if (!frame.isDeployed && !mayCall(frame.session, callable, { isSecure: false }))
    throw fail('notFound', `No operation or chain '${id}' is registered`)
}

/** A chain or operation called by id from inside a run, on its own copy of the variables or on the caller's. */
const runNested = async (frame: Frame, caller: Variables, call: NestedCall): Promise<Value> => {
  if (frame.depth >= MAX_DEPTH)
    throw fail('badRequest', `${call.id}: calls are nested deeper than ${MAX_DEPTH}`)
  const inner = { ...frame, depth: frame.depth + 1 }
  const variables = call.isolate || call.variables ? { ...caller, ...call.variables } : caller
  const step = typedStep(inner, { operation: call.id, params: {} })
  requireCallable(inner, step)
  const output =
    step.callable.kind === 'chain'
      ? await runChain(inner, { chain: step.callable.chain, call: { ...call, variables } })
      : await runSteps(inner, {
          steps: [{ operation: call.id, params: call.parameters ?? {}, isLiteral: true }],
          input: call.input,
          variables,
        })
  if (variables !== caller && !call.isolate) {
    const own = new Set(Object.keys(call.variables ?? {}))
    for (const [name, value] of Object.entries(variables)) if (!own.has(name)) caller[name] = value
    for (const name of Object.keys(caller)) if (!Object.hasOwn(variables, name)) delete caller[name]
  }
  return output
}

const contextOf = (frame: Frame, input: Value, variables: Variables): OperationContext => {
  const { services, transient, signal, expressions } = frame
  const { session, reader } = actorOf(frame)
  const context: OperationContext = {
    session,
    variables,
    input,
    services,
    transient,
    bulk: {
      submit: (request) => submitBulk({ session, store: frame.bulk, registry: frame.registry }, request),
      find: (id) => getBulk(frame.bulk, session.principal, id),
    },
    signal,
    documents: (value) => reader.many(value),
    run: (call) => runNested(frame, variables, call),
    ask: (question, args) => answerQuestion({ ...frame, session }, question, args),
    requireDeployed: (what) => {
      if (!frame.isDeployed) throw fail('forbidden', `${what} is a step of deployed chains alone`)
    },
    login: (principal) => {
      frame.acting.stack.push(principal)
    },
    logout: () => {
      frame.acting.stack.pop()
    },
    runScript: (script) => {
      // What is deployed answers for what it calls; other scripts come from administrators alone.
      const inside = { ...frame, session, reader, isDeployed: true, acting: innerActing(frame) }
      const place = {
        ...inside,
        context: contextOf(inside, script.input, variables),
        names: frame.scriptNames,
      }
      return runScript(place, script)
    },
    evaluate: async (text, on) => {
      if (!frame.isDeployed && !session.principal.isAdministrator)
        throw fail('forbidden', 'An expression that comes with a call is evaluated for administrators alone')
      return evaluateExpression(text, {
        context: { ...context, input: on ?? context.input },
        expressions,
        reader,
      })
    },
  }
  return context
}

const evaluationOf = (frame: Frame, context: OperationContext) => ({
  context,
  expressions: frame.expressions,
  reader: actorOf(frame).reader,
  chainParameters: chainParameters(context.variables),
})

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
  const params = await resolveParameters(operation, { step, ...evaluationOf(frame, context) })
  const output = await mapInput({ method, input, reader: actorOf(frame).reader }, (element) =>
    runMethod(method, { context, input: element, params }),
  )
  return method.output === 'void' && method.input === 'void' ? context.input : output
}

/** Names the step at which a run failed; the error keeps its code. */
const atStep = (error: unknown, step: ChainStep): unknown =>
  isArchivoltError(error) && !error.message.startsWith('Failed to invoke operation')
    ? fail(error.code, `Failed to invoke operation ${step.operation}: ${error.message}`, {
        cause: error,
        details: error.details,
        retryable: error.retryable,
      })
    : error

const runSteps = async (
  frame: Frame,
  { steps, input, variables, progress }: StepsRun & { progress?: Progress },
): Promise<Value> => {
  const typed = steps.map((step) => typedStep(frame, step))
  const choice = choosePath(typed, typeOf(input))
  if ('failedAt' in choice) {
    const failed = typed[choice.failedAt]
    throw fail(
      'badRequest',
      `No valid path through the chain: ${failed?.id} takes no input of type ${choice.received}`,
    )
  }
  let current = input
  for (const [position, { step, callable }] of typed.entries()) {
    throwIfStopped(frame.signal)
    const method = choice.path.methods[position] ?? CHAIN_METHOD
    if (progress) progress.input = current
    const runStep = (inner: Frame): Promise<Value> =>
      callable.kind === 'chain'
        ? runChainStep(inner, { step, input: current, variables })
        : runOperation(inner, { operation: callable.operation, method, step, input: current, variables })
    try {
      current = progress?.isUndoable ? await attemptIn(frame, runStep) : await runStep(frame)
    } catch (error) {
      throw atStep(error, step)
    }
  }
  return current
}

/** This place in a run as error chains see it. */
const placeOf = (frame: Frame): ErrorChainPlace => ({
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
})

const areDeployed = (steps: readonly ChainStep[]): boolean => steps.every((step) => !step.isLiteral)

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
): Promise<Outcome> => runCatching(placeOf(frameOf(execution, { isDeployed: areDeployed(run.steps) })), run)

/** Runs the error chain that a failure of several transactions calls for: see `runErrorChain`. */
export const executeErrorChain = (
  execution: Execution,
  caught: Parameters<typeof runErrorChain>[1],
): Promise<Value | undefined> => runErrorChain(placeOf(frameOf(execution, { isDeployed: true })), caught)

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
): Promise<Value> => runNested(frameOf(execution, { isDeployed: areDeployed([caller]) }), variables, call)

/**
 * The values of a boundary's parameters as the run stands: its operation's, by their rules of look-up and
 * default, or as they are written for a chain. Boundaries run their targets elsewhere.
 */
export const resolveStep = async (
  execution: Execution,
  { step, input, variables }: { step: ChainStep; input: Value; variables: Variables },
): Promise<{ [name: string]: unknown }> => {
  const frame = frameOf(execution, { isDeployed: areDeployed([step]) })
  const evaluation = evaluationOf(frame, contextOf(frame, input, variables))
  const { callable } = typedStep(frame, step)
  return callable.kind === 'operation'
    ? resolveParameters(callable.operation, { step, ...evaluation })
    : evaluateParameters(step, evaluation)
}
