import type { ContentModel } from '../../../../model/content-model/index.js'
import { createReport, type Report, suggestion } from '../../../../platform/contributions/index.js'
import { type ErrorDetail, isArchivoltError } from '../../../../platform/errors/index.js'
import {
  DOCUMENT_MEMBERS,
  FUNCTION_NAMES,
  isDocumentMember,
  type Reference,
  referencesIn,
  referencesOf,
} from '../../../../platform/sandbox/expressions/index.js'
import {
  type Callable,
  type ChainDefinition,
  expressionsIn,
  isExpression,
  type RawExpression,
  type Registry,
} from '../../../language/index.js'
import { type KnownNames, unknownDurations } from '../../../lint/index.js'
import { fieldOfStep } from '../../fields.js'
import { MAX_PROBLEMS } from '../../limits.js'
import { refusalOfType } from '../../reading/literals.js'
import { isApiObject, unknownFunction } from '../../scripts/api-functions.js'
import type { ChainPlaces, ParamPlaces, ValuePlaces } from '../../types.js'
import { declaredParams, type KnownParam } from '../calls/callable-params.js'
import { warnOfTargetParams } from '../calls/target-params.js'
import { constantTarget, elementOf } from '../targets.js'
import { warnOfAssignment } from './assignment.js'
import { placeIn } from './places.js'
import { findingsInExpression, findingsInText } from './unknown-expressions.js'
import { meantList, unsetVariables, type VariablesOf, variablesOf } from './unset-variables.js'
import { warnOfNames } from './warn-of-names.js'

type Properties = Pick<ContentModel, 'schemas' | 'resolve'>

type WarningsCheck = {
  chain: ChainDefinition
  places: ChainPlaces
  registry: Registry
  names: KnownNames
  /** Something of it could not be read. */
  isMisshapen?: boolean
}

const HOLDERS = ['ChainParameters', 'Document', 'currentDocument', ...Object.keys(FUNCTION_NAMES)]

/** What documents of scripts have besides. */
const SCRIPT_METHODS = ['setPropertyValue', 'equals']

const named = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `["${key}"]`)

const propertyNames = ({ schemas }: Properties): string[] =>
  [...schemas.values()].flatMap(({ prefix, hasPrefix, fields }) =>
    [...fields.keys()].map((field) => (hasPrefix ? `${prefix}:${field}` : field)),
  )

/** What is wrong with something that an expression reads; undefined when all is well. */
const unknownReference = (
  { holder, key, isCall }: Reference,
  { chain, names: { model }, isScript }: Pick<WarningsCheck, 'chain' | 'names'> & { isScript: boolean },
): string | undefined => {
  if (holder === 'ChainParameters') {
    const declared = chain.params.map(({ name }) => name)
    if (isCall || declared.length === 0 || declared.includes(key)) return undefined
    return `ChainParameters${named(key)}: the chain declares no parameter "${key}"${suggestion(key, declared)}`
  }
  if (isApiObject(holder)) return unknownFunction(holder, key, { isScript })
  if (isDocumentMember(key, { isCall }) || (isScript && SCRIPT_METHODS.includes(key))) return undefined
  if (isCall) return `${holder}.${key}(…): documents have no such method${suggestion(key, DOCUMENT_MEMBERS)}`
  if (model.resolve(key) !== undefined || model.schemas.has(key)) return undefined
  const candidates = key.includes(':') ? propertyNames(model) : [...DOCUMENT_MEMBERS, ...model.schemas.keys()]
  return `${holder}${named(key)}: no schema has the property "${key}", so that it is null${suggestion(key, candidates)}`
}

/** What an expression outside of any chain reads of documents and functions that there is none of. */
export const unknownReferencesIn = (text: string, names: KnownNames): string[] => {
  const nowhere = { chain: { id: '', aliases: [], params: [], steps: [] }, names, isScript: false }
  const references = referencesIn(text, HOLDERS)
    .slice(0, MAX_PROBLEMS)
    .flatMap((reference) => unknownReference(reference, nowhere) ?? [])
  return [...references, ...unknownDurations(text, names).map(({ message }) => message)]
}

type Site = { field: string; places: ValuePlaces | undefined; text: string }

type Warning = { check: WarningsCheck; variables: VariablesOf; report: Report; isFull(): boolean }

/** What cannot be read is refused, with its reason: there is nothing more to be said of it. */
const whereReadable = (work: () => void): void => {
  try {
    work()
  } catch (error) {
    if (!isArchivoltError(error)) throw error
  }
}

const warnOfExpression = (
  { field, places, text }: Site,
  { check, variables, report, isFull }: Warning,
): void => {
  for (const reference of referencesIn(text, HOLDERS)) {
    // What is not reported need not be compared with all that might be meant.
    if (isFull()) return
    const mistake = unknownReference(reference, { ...check, isScript: false })
    if (mistake) report(field, placeIn(places, reference.at), mistake)
  }
  const ofNames = isFull() ? [] : unknownDurations(text, check.names)
  const findings = isFull() ? [] : [...findingsInExpression(text, check.chain), ...ofNames]
  const isNamed = ({ at }: { at: number }): boolean => findings.some((other) => other.at === at)
  // One that is almost another is reported with that alone.
  const unset = isFull() ? [] : unsetVariables(text, variables).filter((found) => !isNamed(found))
  for (const { at, message } of [...findings, ...unset]) report(field, placeIn(places, at), message)
}

/** Holders that a script has values of its own under. */
const ASSIGNED =
  /(?<![.\w$])(?:(?:var|let|const|function)\s+([A-Za-z_$][\w$]*)|([A-Za-z_$][\w$]*)\s*=(?![=>]))/g

/** Statements of MVEL (`RunScript`): of several lines, the message says which. */
const warnOfStatements = ({ field, places, text }: Site, { check, report, isFull }: Warning): void => {
  const own = new Set([...text.matchAll(ASSIGNED)].map(([, declared, assigned]) => declared ?? assigned))
  const holders = HOLDERS.filter((holder) => !own.has(holder))
  for (const reference of referencesOf(text, holders)) {
    if (isFull()) return
    const mistake = unknownReference(reference, { ...check, isScript: true })
    if (!mistake) continue
    const line = text.slice(0, reference.at).split('\n').length
    const where = text.trim().includes('\n') ? ` (line ${line} of the script)` : ''
    report(field, placeIn(places, reference.at), `${mistake}${where}`)
  }
}

const siteOf = (
  { key, text }: RawExpression,
  { field, places }: { field: string; places: ParamPlaces | undefined },
): Site =>
  key === undefined
    ? { field, places, text }
    : { field: `${field}.${key}`, places: places?.entries?.get(key) ?? places, text }

const textsIn = (value: unknown): RawExpression[] => {
  if (typeof value === 'string') return [{ text: value }]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, text]) => (typeof text === 'string' ? [{ key, text }] : []))
}

/** Whether a loop's target surely does not look at the element: what it calls in turn might. */
const isBlindTo = (name: string, target: Callable, registry: Registry): boolean => {
  if (target.kind === 'operation') {
    const { callsTarget, script, params } = target.operation
    return !callsTarget && !script && !Object.hasOwn(params, name)
  }
  return target.chain.steps.every((step) => {
    const callable = registry.find(step.operation)
    const mentions = `${JSON.stringify(step.params)} `.includes(name)
    return callable?.kind === 'operation' && !mentions && isBlindTo(name, callable, registry)
  })
}

/** @param judged what is known of targets already: a chain may run the same one a thousand times. */
const warnOfLoop = (index: number, { check, report }: Warning, judged: Map<string, boolean>): void => {
  const { chain, places, registry } = check
  const step = chain.steps[index]!
  const callable = registry.find(step.operation)
  if (callable?.kind !== 'operation') return
  const name = elementOf(callable, step)
  const target = constantTarget(callable.operation, step)
  const called = target && registry.find(target.id)
  if (!name || !called) return
  const key = JSON.stringify([target.id, name])
  const isBlind = judged.get(key) ?? isBlindTo(name, called, registry)
  judged.set(key, isBlind)
  if (!isBlind) return
  const at = places.steps[index]?.params.get(target.parameter)?.value
  report(
    `${fieldOfStep(step, index)}.${target.parameter}`,
    at,
    `${target.id} does not read the variable "${name}" that holds the element: each time it is given the same input; Context.RestoreDocumentInput with name: ${name} takes a document from there`,
  )
}

/** Warns of a misspelt list: what is no variable is refused only when the loop begins. */
const warnOfList = (index: number, { check, variables, report }: Warning): void => {
  const { chain, places, registry } = check
  const step = chain.steps[index]!
  const callable = registry.find(step.operation)
  if (callable?.kind !== 'operation' || callable.operation.callsTarget !== 'list') return
  const meant = meantList(step.params.list, variables)
  if (meant === undefined) return
  report(
    `${fieldOfStep(step, index)}.list`,
    places.steps[index]?.params.get('list')?.value,
    `nothing sets the variable "${step.params.list}", did you mean "${meant}"?`,
  )
}

const warnOfStep = (index: number, warning: Warning): void => {
  const { check, report } = warning
  const { chain, places, registry } = check
  const step = chain.steps[index]!
  const field = fieldOfStep(step, index)
  const callable = registry.find(step.operation)
  const known: readonly KnownParam[] = callable ? declaredParams(callable) : []
  if (callable?.kind === 'operation') {
    const { operation } = callable
    const found = places.steps[index]
    const at = { field, places: found, at: found?.at }
    warnOfTargetParams({ chain, step, operation, ...at, registry, report })
    warnOfNames({ chain, step, operation, ...at, registry, names: check.names, report })
  }
  for (const [name, value] of Object.entries(step.params)) {
    const param = known.find(({ names }) => names.includes(name))
    const at = { field: `${field}.${name}`, places: places.steps[index]?.params.get(name) }
    for (const live of expressionsIn(value)) whereReadable(() => warnOfExpression(siteOf(live, at), warning))
    const isSource = param?.notation === 'expression' && typeof value === 'string' && !isExpression(value)
    if (isSource) whereReadable(() => warnOfExpression(siteOf({ text: value }, at), warning))
    const isScript = param?.notation === 'statements' && typeof value === 'string' && !isExpression(value)
    if (isScript) whereReadable(() => warnOfStatements(siteOf({ text: value }, at), warning))
    if (!param?.isPlain) continue
    for (const raw of textsIn(value)) {
      if (isExpression(raw.text)) continue
      const { field: rawField, places: rawPlaces } = siteOf(raw, at)
      for (const found of findingsInText(raw.text))
        report(rawField, placeIn(rawPlaces, found.at), found.message)
      const offset = raw.text.indexOf('@{')
      if (offset < 0) continue
      report(
        rawField,
        placeIn(rawPlaces, offset),
        'the text holds @{…}, and stays as it is: what is evaluated begins with expr:',
      )
    }
  }
}

/**
 * What a chain that can be deployed probably does not mean: parameters that it does not declare, properties that
 * there are none of, texts that look like templates and are none, types that are read as text. Null at run time, all
 * of them, as in the reference platform.
 */
export const warningsOfChain = (check: WarningsCheck): readonly ErrorDetail[] => {
  const { chain, places, registry, isMisshapen = false } = check
  const { report, problems } = createReport()
  const variables = variablesOf(chain, { registry, isMisshapen })
  const warning = { check, variables, report, isFull: () => problems.length >= MAX_PROBLEMS }
  for (const { name, type } of chain.params) {
    const refusal = refusalOfType(type)
    if (refusal) report(`params.${name}.type`, places.params?.get(name), `${refusal}; it is read as text`)
  }
  const judged = new Map<string, boolean>()
  for (const index of chain.steps.keys()) {
    if (warning.isFull()) break
    warnOfStep(index, warning)
    warnOfLoop(index, warning, judged)
    warnOfList(index, warning)
  }
  for (const [index, { filter }] of (chain.onError ?? []).entries()) {
    const at = places.filters?.[index] ?? places.onError[index]
    const site = { field: `onError[${index}].filter`, places: at && { value: at }, text: filter ?? '' }
    whereReadable(() => {
      warnOfExpression(site, warning)
      warnOfAssignment(site, report)
    })
  }
  return problems
}
