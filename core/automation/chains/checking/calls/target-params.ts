import type { Place, Report } from '../../../../platform/contributions/index.js'
import {
  type Callable,
  type ChainDefinition,
  type ChainStep,
  isExpression,
  type Operation,
  type Registry,
} from '../../../language/index.js'
import { type Values, valuesOfLines } from '../../reading/literals.js'
import type { ParamPlaces, StepPlaces } from '../../types.js'
import { constantTarget, elementOf } from '../targets.js'
import {
  type CallSignature,
  isUnknownParameter,
  isVariableAlone,
  mayRead,
  mayScriptRead,
  refusalOfValue,
  signatureOf,
  unknownParameter,
} from './call-signature.js'
import type { KnownParam } from './callable-params.js'

/** Values for what is called, where a step writes them down in a map. */
export type WrittenCall = {
  /** As it is named. */
  called: string
  callable: Callable
  given: Values
  /** `operations[2].parameters` */
  field: string
  /** Whether what is left out comes from elsewhere. */
  isGiven(param: KnownParam): boolean
  placeOf(key: string | undefined, part: 'name' | 'value'): Place | undefined
}

/** The parameters that a step gives to what it runs; undefined when they are not known before it runs. */
const writtenMap = (
  { chain, step }: { chain: ChainDefinition; step: ChainStep },
  name: string,
): Values | undefined => {
  const value = Object.hasOwn(step.params, name) ? step.params[name] : undefined
  if (value === undefined && chain.params.some((param) => param.name === name)) return undefined
  if (value === undefined || value === null) return {}
  if (Array.isArray(value) || isExpression(value)) return undefined
  if (typeof value === 'object') return value
  return typeof value === 'string' ? valuesOfLines(value) : undefined
}

/** Places inside of a map that a step gives. */
export const placesInMap =
  (at: ParamPlaces | undefined, otherwise: Place | undefined): WrittenCall['placeOf'] =>
  (key, part) =>
    (key === undefined ? undefined : at?.entries?.get(key)?.[part]) ?? at?.value ?? otherwise

/** What is wrong with one of the values for what is called: with its name, its value, or that there is none. */
export type CallFinding = { name: string; part: 'name' | 'value' | 'absence'; message: string }

/** Whether nothing reads a parameter of that name. */
const isLost = (callable: Callable, name: string, registry: Registry): boolean =>
  isUnknownParameter(signatureOf(callable, registry), name) &&
  !mayScriptRead(callable, name) &&
  !(callable.kind === 'chain' && mayRead(callable.chain, name, registry))

/** By its prefix a chain is called with all parameters as variables (reference: automation.md §1). */
const FLAT = 'Chain.'

const isForContext = (
  { called, callable, name }: Pick<WrittenCall, 'called' | 'callable'> & { name: string },
  registry: Registry,
): boolean =>
  callable.kind === 'chain' &&
  !called.startsWith(FLAT) &&
  isUnknownParameter(signatureOf(callable, registry), name) &&
  isVariableAlone(callable.chain, name, registry)

/** What is said of parameters of a call that nothing reads: as on the reference platform, they do no harm. */
export const unknownParametersOfCall = (
  { called, callable, given }: Pick<WrittenCall, 'called' | 'callable' | 'given'>,
  registry: Registry,
): string[] => {
  // What it runs may look among its parameters.
  if (callable.kind === 'operation' && callable.operation.callsTarget) return []
  return Object.keys(given).flatMap((name) => {
    if (isLost(callable, name, registry))
      return [unknownParameter(signatureOf(callable, registry), { name, called })]
    return isForContext({ called, callable, name }, registry)
      ? [
          `unknown parameter "${name}" of ${called}, which reads a variable of that name: calls give it under "context"`,
        ]
      : []
  })
}

/** What is wrong with values for what is called, as if they were those of a step. */
export const findingsOfCall = (
  { called, callable, given, isGiven }: Pick<WrittenCall, 'called' | 'callable' | 'given' | 'isGiven'>,
  registry: Registry,
): CallFinding[] => {
  const findings: CallFinding[] = []
  const signature = signatureOf(callable, registry)
  for (const [name, value] of Object.entries(given)) {
    const refusal = refusalOfValue(signature, { name, value })
    if (refusal) findings.push({ name, part: 'value', message: refusal })
    if (isLost(callable, name, registry))
      findings.push({ name, part: 'name', message: unknownParameter(signature, { name, called }) })
  }
  for (const param of missingParams(signature, given))
    if (!isGiven(param))
      findings.push({
        name: param.name,
        part: 'absence',
        message: `${called} needs the parameter "${param.name}"`,
      })
  return findings
}

/** Reports what `findingsOfCall` finds, where it stands. */
export const checkWrittenCall = (
  call: WrittenCall,
  { registry, report }: { registry: Registry; report: Report },
): void => {
  const { field, placeOf } = call
  for (const { name, part, message } of findingsOfCall(call, registry)) {
    const at = part === 'absence' ? placeOf(undefined, 'value') : placeOf(name, part)
    report(`${field}.${name}`, at, message)
  }
}

const missingParams = ({ known }: CallSignature, given: Values): readonly KnownParam[] =>
  known.filter(
    ({ isRequired, names }) =>
      isRequired && !names.some((name) => Object.hasOwn(given, name) && given[name] !== null),
  )

export type TargetCheck = {
  chain: ChainDefinition
  step: ChainStep
  /** `operations[2]` */
  field: string
  /** What the step calls. */
  operation: Operation
  places: StepPlaces | undefined
  /** Where the step stands. */
  at: Place | undefined
  registry: Registry
}

const PARAMETERS = 'parameters'

/** What a step of the Run… family hands to a constant target that there is; undefined when that is not known. */
export const writtenCallOf = (check: TargetCheck): WrittenCall | undefined => {
  const { operation, step, chain, field, places, at, registry } = check
  const target = constantTarget(operation, step)
  const callable = target && registry.find(target.id)
  if (!callable || !Object.hasOwn(operation.params, PARAMETERS)) return undefined
  const given = writtenMap(check, PARAMETERS)
  if (!given) return undefined
  const element = elementOf({ operation }, step)
  const isLoop = operation.callsTarget === 'list'
  return {
    called: target.id,
    callable,
    given,
    field: `${field}.${PARAMETERS}`,
    // Operations look among the variables, too, and a loop sets one: which, may be known only when it runs.
    isGiven: ({ names }) =>
      names.some((name) => chain.params.some((declared) => declared.name === name)) ||
      (isLoop && callable.kind === 'operation' && (element === undefined || names.includes(element))),
    placeOf: placesInMap(places?.params.get(PARAMETERS), at),
  }
}

/**
 * Reports mistakes in what a step of the Run… family hands to a constant target: parameters that it has none of, that
 * it needs, and values of a wrong type, by the rules for steps of their own.
 */
export const checkTargetParams = (check: TargetCheck & { report: Report }): void => {
  const call = writtenCallOf(check)
  if (call) checkWrittenCall(call, check)
}

/** Warns of what a chain with parameters is given and does not declare, though it might read it. */
export const warnOfTargetParams = (check: TargetCheck & { report: Report }): void => {
  const { registry, report } = check
  const call = writtenCallOf(check)
  if (call?.callable.kind !== 'chain' || call.callable.chain.params.length === 0) return
  const signature = signatureOf(call.callable, registry)
  for (const name of Object.keys(call.given))
    if (isUnknownParameter(signature, name) && mayRead(call.callable.chain, name, registry))
      report(
        `${call.field}.${name}`,
        call.placeOf(name, 'name'),
        unknownParameter(signature, { name, called: call.called }),
      )
}
