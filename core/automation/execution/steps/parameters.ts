import { setImmediate } from 'node:timers/promises'
import type { PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { DocumentReference, ExpressionEngine } from '../../../platform/sandbox/expressions/index.js'
import {
  type ChainStep,
  coerceParameter,
  type DocumentReader,
  expressionsIn,
  isExpression,
  isStepsOwn,
  jsonOf,
  type Operation,
  type OperationContext,
  type Parameter,
  type ParameterType,
  type Value,
  VOID,
  valueOfJson,
} from '../../language/index.js'
import { expressionScope } from './scope.js'

type Evaluation = {
  context: OperationContext
  expressions: ExpressionEngine
  reader: DocumentReader
  chainParameters: { [name: string]: PropertyValue }
  /** Whether the step acts for somebody else than its caller: what callers give does not stand in there. */
  isForOthers: boolean
}

/** What an expression is evaluated with. */
type Place = Pick<Evaluation, 'context' | 'expressions' | 'reader'>

const isDocumentReference = (value: unknown): value is DocumentReference =>
  typeof value === 'object' &&
  value !== null &&
  'documentRef' in value &&
  typeof value.documentRef === 'string'

/** A value as it comes out of the sandbox. */
const valueOfResult = (result: unknown): Value => {
  if (result === undefined || result === null) return VOID
  if (result instanceof Date) return { type: 'date', value: result.toISOString() }
  if (isDocumentReference(result)) return { type: 'document', id: result.documentRef }
  if (Array.isArray(result) && result.length > 0 && result.every(isDocumentReference)) {
    return { type: 'documents', ids: result.map((document) => document.documentRef) }
  }
  return valueOfJson(plainJson(result))
}

/** Dates become text and documents ids inside lists and maps. */
const plainJson = (result: unknown): PropertyValue => {
  if (result instanceof Date) return result.toISOString()
  if (isDocumentReference(result)) return result.documentRef
  if (Array.isArray(result)) return result.map(plainJson)
  if (typeof result === 'object' && result !== null) {
    return Object.fromEntries(Object.entries(result).map(([key, value]) => [key, plainJson(value)]))
  }
  return (result ?? null) as PropertyValue
}

/** An evaluation holds up the whole process; one that took longer than this many ms lets others go first. */
const LONG_MS = 5

/** Whether anything of a raw parameter is to be evaluated. */
const isLive = (raw: PropertyValue): boolean => expressionsIn(raw).length > 0

/** Evaluates a raw parameter, and the texts one level inside a map of properties. */
const evaluateParameter = async (
  raw: PropertyValue,
  { context, expressions, reader }: Place,
): Promise<Value> => {
  const evaluate = async (text: string): Promise<unknown> => {
    const { session, input, variables } = context
    const { ask, services } = context
    const scope = await expressionScope({ text, session, reader, input, variables, ask, env: services.env })
    const startedAt = performance.now()
    try {
      return await expressions.evaluateValue(text, scope)
    } finally {
      if (performance.now() - startedAt > LONG_MS) await setImmediate()
    }
  }
  if (typeof raw === 'string' && isExpression(raw)) return valueOfResult(await evaluate(raw))
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return valueOfJson(raw)
  const entries: [string, PropertyValue][] = []
  for (const [key, value] of Object.entries(raw)) {
    entries.push([
      key,
      typeof value === 'string' && isExpression(value) ? plainJson(await evaluate(value)) : value,
    ])
  }
  return { type: 'json', value: Object.fromEntries(entries) }
}

/** The value of an expression, which may do without the mark that makes a parameter one. */
export const evaluateExpression = (text: string, evaluation: Place): Promise<Value> =>
  evaluateParameter(isExpression(text) ? text : `expr:${text}`, evaluation)

/** The plain values of all parameters of a step. */
export const evaluateParameters = async (
  step: ChainStep,
  evaluation: Evaluation,
): Promise<{ [name: string]: PropertyValue }> => {
  const values: { [name: string]: PropertyValue } = {}
  for (const [name, raw] of Object.entries(step.params)) {
    values[name] = step.isLiteral || !isLive(raw) ? raw : jsonOf(await evaluateParameter(raw, evaluation))
  }
  return values
}

/** Parameter types for which a document or file in a variable of the same name is no value but a coincidence. */
const TEXTUAL: ReadonlySet<ParameterType> = new Set(['string', 'boolean', 'integer', 'long', 'float', 'date'])

const isReference = (value: Value): boolean =>
  value.type.startsWith('document') || value.type === 'blob' || value.type === 'blobs'

/** A raw or given value by the rule of look-up (reference: automation.md §6), before defaults; a promise where it is evaluated. */
const lookUpGiven = (
  name: string,
  { step, parameter, evaluation }: { step: ChainStep; parameter: Parameter; evaluation: Evaluation },
): Value | undefined | Promise<Value> => {
  const own = step.params[name]
  if (own !== undefined)
    return step.isLiteral || !isLive(own) ? valueOfJson(own) : evaluateParameter(own, evaluation)
  if (evaluation.isForOthers || isStepsOwn(parameter)) return undefined
  const given = evaluation.chainParameters[name]
  if (given !== undefined) return valueOfJson(given)
  const variable = evaluation.context.variables[name]
  return variable && TEXTUAL.has(parameter.type) && isReference(variable) ? undefined : variable
}

/** The same, where text that nobody wrote in the notation of its parameter is quoted for it. */
const lookUp = (
  name: string,
  place: { step: ChainStep; parameter: Parameter; evaluation: Evaluation },
): Value | undefined | Promise<Value | undefined> => {
  const { step, parameter } = place
  const { quoted } = parameter
  const own = step.params[name]
  if (!quoted || (own !== undefined && !isLive(own))) return lookUpGiven(name, place)
  const found = lookUpGiven(name, place)
  const quote = (value: Value | undefined): Value | undefined =>
    value?.type === 'string' ? { ...value, value: quoted(value.value) } : value
  return found instanceof Promise ? found.then(quote) : quote(found)
}

/** What a step gives to a script that declares no such parameter: the reference platform hands it over, too. */
const undeclaredOf = async (
  { params }: Operation,
  step: ChainStep,
  evaluation: Place,
): Promise<{ [name: string]: Value }> => {
  const declared = new Set(Object.entries(params).flatMap(([name, { aliases = [] }]) => [name, ...aliases]))
  const found: [string, Value][] = []
  for (const [name, own] of Object.entries(step.params)) {
    if (declared.has(name)) continue
    const isPlain = step.isLiteral || !isLive(own)
    found.push([name, isPlain ? valueOfJson(own) : await evaluateParameter(own, evaluation)])
  }
  return Object.fromEntries(found)
}

/**
 * The values of an operation's parameters for one step: its own, else the chain's parameter of that name,
 * else the variable of that name, else the same under its aliases, else the default. Unknown ones are ignored, but for
 * those that a step itself gives to a script, as values of any type.
 *
 * @throws badRequest naming the parameter that is missing or cannot be read as its type.
 */
export const resolveParameters = async (
  operation: Operation,
  { step, ...evaluation }: Evaluation & { step: ChainStep },
): Promise<{ [name: string]: unknown }> => {
  const values: { [name: string]: unknown } = {}
  for (const [name, parameter] of Object.entries(operation.params)) {
    let found: Value | undefined
    for (const candidate of [name, ...(parameter.aliases ?? [])]) {
      const looked = lookUp(candidate, { step, parameter, evaluation })
      found = looked instanceof Promise ? await looked : looked
      if (found !== undefined) break
    }
    found ??= parameter.default === undefined ? undefined : valueOfJson(parameter.default)
    if (found === undefined && parameter.isRequired) throw fail('badRequest', `Parameter ${name} is required`)
    // Most values are there: waiting for each of them anyway took as long as the rest of a step.
    const coerced = found && coerceParameter(parameter, found, { name, context: evaluation.context })
    values[name] = coerced instanceof Promise ? await coerced : coerced
    // Null, as an expression may give it, is no value of a parameter that always has one.
    if (values[name] === undefined && parameter.default !== undefined)
      values[name] = await coerceParameter(parameter, valueOfJson(parameter.default), {
        name,
        context: evaluation.context,
      })
    if (values[name] === undefined && parameter.isRequired && parameter.type !== 'object') {
      throw fail('badRequest', `Parameter ${name} is required and must not be null`)
    }
  }
  return operation.script ? { ...values, ...(await undeclaredOf(operation, step, evaluation)) } : values
}
