import { type Place, type Report, suggestion } from '../../../platform/contributions/index.js'
import { refusalOfExpression } from '../../../platform/sandbox/expressions/index.js'
import {
  type Callable,
  type ChainDefinition,
  type ChainStep,
  expressionsIn,
  type Registry,
} from '../../language/index.js'
import { isLoggedInAt } from '../../planning/index.js'
import type { StepPlaces } from '../types.js'
import {
  isUnknownParameter,
  mayScriptRead,
  refusalOfValue,
  signatureOf,
  unknownParameter,
} from './calls/call-signature.js'
import { declaredParams, type KnownParam } from './calls/callable-params.js'
import { checkBulk } from './calls/check-bulk.js'
import { checkTargetParams } from './calls/target-params.js'
import { cycleThrough } from './cycles.js'
import { callableNames, constantTarget } from './targets.js'

export type StepCheck = {
  chain: ChainDefinition
  step: ChainStep
  /** `operations[2]` */
  field: string
  places: StepPlaces | undefined
  registry: Registry
  report: Report
}

/** Reports what is wrong with one step: what it calls, with which parameters, and whether that comes back. */
export const checkStep = (check: StepCheck): void => {
  const { chain, step, field, registry, report } = check
  const callable = registry.find(step.operation)
  // That it is missing is reported by whoever has read it.
  if (step.operation === '') return
  if (!callable) {
    const hint = suggestion(step.operation, callableNames(registry))
    report(field, placeOf(check), `unknown operation "${step.operation}"${hint}`)
    return
  }
  checkGivenParams(check, callable)
  if (!check.places?.isMisread) checkMissingParams(check, callable)
  checkTarget(check, callable)
  checkBulk({ ...check, callable, at: placeOf(check) })
  const cycle = cycleThrough(chain, step, registry)
  if (cycle) report(field, placeOf(check), `the chain calls itself: ${cycle.join(' -> ')}`)
}

const placeOf = ({ step, places }: StepCheck): Place | undefined => {
  if (places) return places.at
  const { line, column } = step.at ?? {}
  return line === undefined || column === undefined ? undefined : { line, column }
}

const checkGivenParams = (check: StepCheck, callable: Callable): void => {
  const { step, field, places, registry, report } = check
  const signature = signatureOf(callable, registry)
  for (const [name, value] of Object.entries(step.params)) {
    const at = places?.params.get(name)
    for (const { key, text } of expressionsIn(value)) {
      const refusal = refusalOfExpression(text)
      const place =
        (key === undefined ? undefined : at?.entries?.get(key)?.value) ?? at?.value ?? placeOf(check)
      if (refusal) report([field, name, ...(key === undefined ? [] : [key])].join('.'), place, refusal)
    }
    const refusal = refusalOfValue(signature, { name, value })
    if (refusal) report(`${field}.${name}`, at?.value ?? placeOf(check), refusal)
    if (!isUnknownParameter(signature, name) || mayScriptRead(callable, name)) continue
    const message = unknownParameter(signature, { name, called: step.operation, value })
    report(`${field}.${name}`, at?.name ?? placeOf(check), message)
  }
}

/**
 * A parameter of the chain itself fills those of the same name that a step leaves out (reference: automation.md §6), unless
 * the step acts for somebody else.
 */
const checkMissingParams = (check: StepCheck, callable: Callable): void => {
  const { chain, step, field, report } = check
  const isFilled = ({ names }: KnownParam): boolean =>
    names.some((name) => chain.params.some((declared) => declared.name === name))
  const isGiven = ({ names }: KnownParam): boolean =>
    names.some((name) => Object.hasOwn(step.params, name) && step.params[name] !== null)
  const isApart = isLoggedInAt(chain.steps, step)
  for (const param of declaredParams(callable)) {
    if (!param.isRequired || isGiven(param)) continue
    if (isFilled(param) && !isApart) continue
    const hint = isFilled(param)
      ? `, which is not looked up after Auth.LoginAs: write ${param.name}: expr:ChainParameters["${param.name}"]`
      : ''
    const message = `${step.operation} needs the parameter "${param.name}"${hint}`
    report(`${field}.${param.name}`, placeOf(check), message)
  }
}

const checkTarget = (check: StepCheck, callable: Callable): void => {
  const { step, field, places, registry, report } = check
  if (callable.kind !== 'operation') return
  const { operation } = callable
  const target = constantTarget(operation, step)
  if (!target) return
  if (registry.find(target.id)) {
    checkTargetParams({ ...check, operation, at: placeOf(check) })
    return
  }
  const hint = suggestion(target.id, callableNames(registry))
  const at = places?.params.get(target.parameter)?.value ?? placeOf(check)
  report(`${field}.${target.parameter}`, at, `unknown operation "${target.id}"${hint}`)
}
