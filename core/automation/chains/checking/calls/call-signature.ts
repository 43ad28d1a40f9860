import type { PropertyValue } from '../../../../model/properties/index.js'
import { suggestion } from '../../../../platform/contributions/index.js'
import type { Callable, ChainDefinition, Registry } from '../../../language/index.js'
import { refusalOfLiteral } from '../../reading/literals.js'
import { calledBy, constantTarget, stepsOf } from '../targets.js'
import { declaredParams, type KnownParam, leakedNames } from './callable-params.js'
import { refusalOfNotation } from './notations.js'

/** What may be given to something that is called. */
export type CallSignature = {
  known: readonly KnownParam[]
  /** Names that a chain hands on to what it calls, without declaring them. */
  leaked: ReadonlySet<string>
}

/** Registries are created with each deployment; in one, a chain may be called a thousand times. */
const signatures = new WeakMap<Registry, Map<string, CallSignature>>()

const idOf = (callable: Callable): string =>
  callable.kind === 'chain' ? `chain ${callable.chain.id}` : callable.operation.id

/** The parameters of an operation or chain, as calls of it are checked. */
export const signatureOf = (callable: Callable, registry: Registry): CallSignature => {
  const known = signatures.get(registry) ?? new Map<string, CallSignature>()
  signatures.set(registry, known)
  const leaked = () => (callable.kind === 'chain' ? leakedNames(callable.chain, registry) : new Set<string>())
  const signature = known.get(idOf(callable)) ?? { known: declaredParams(callable), leaked: leaked() }
  known.set(idOf(callable), signature)
  return signature
}

export const parameterNamed = ({ known }: CallSignature, name: string): KnownParam | undefined =>
  known.find(({ names }) => names.includes(name))

/** Whether it has no parameter of that name, and hands none on. */
export const isUnknownParameter = (signature: CallSignature, name: string): boolean =>
  parameterNamed(signature, name) === undefined && !signature.leaked.has(name)

/** What is said of a parameter that there is none of. */
export const unknownParameter = (
  { known, leaked }: CallSignature,
  { name, called, value }: { name: string; called: string; value?: PropertyValue | undefined },
): string => {
  const candidates = [...known.flatMap(({ names }) => names), ...leaked]
  const unknown = `unknown parameter "${name}" of ${called}`
  const [first = '', ...rest] = name.split(/\s+/)
  if (value === null && rest.length > 0 && candidates.includes(first))
    return `${unknown}, is a colon missing: "${first}: ${rest.join(' ')}"?`
  const meant = suggestion(name, candidates)
  if (meant !== '') return `${unknown}${meant}`
  if (value === null) return `${unknown}; between { and } a text with a comma in it is written in quotes`
  if (['params', 'parameters', 'args'].includes(name)) return `${unknown}; parameters stand directly below it`
  const names = known.map((param) => param.name)
  return `${unknown}; ${names.length === 0 ? 'it declares none' : `known are ${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}`}`
}

/** Why a value can be none of its parameter; undefined when it can, or when there is no such parameter. */
export const refusalOfValue = (
  signature: CallSignature,
  { name, value }: { name: string; value: PropertyValue },
): string | undefined => {
  const param = parameterNamed(signature, name)
  return param && (refusalOfLiteral(param.type, value) ?? refusalOfNotation(param.notation, value))
}

/** Uses of `params` beside `params.name`: any parameter may be read so. */
const OPEN_PARAMS = /\bparams\b(?!\s*\.)/g

/** Whether a script may read a parameter that it does not declare: it mentions it, or looks through all of them. */
export const mayScriptRead = (callable: Callable, name: string): boolean => {
  const script = callable.kind === 'operation' ? callable.operation.script?.script : undefined
  if (script === undefined) return false
  // The first one is what `run` declares.
  return wordsOf(script).includes(name) || (script.match(OPEN_PARAMS)?.length ?? 0) > 1
}

const wordsOf = (text: string): string[] => text.match(/[\w$]+/g) ?? []

/** `Context["name"]` and `Context.name`, as they stand in the JSON of a step. */
const VARIABLE = /\bContext\s*(?:\.\s*([\w$]+)|\[\s*\\?["']([^"'\\]+)\\?["']\s*\])/g

/** What the steps of a chain, and of what it calls, mention. */
type Mentions = {
  words: ReadonlySet<string>
  /** Words beside those by which variables of the Context are read. */
  others: ReadonlySet<string>
  /** Names of variables that are read of the Context. */
  variables: ReadonlySet<string>
}

/** @returns undefined when something that it calls is not known yet. */
const mentionsIn = (chain: ChainDefinition, registry: Registry): Mentions | undefined => {
  const words = new Set<string>()
  const others = new Set<string>()
  const variables = new Set<string>()
  const visited = new Set<string>()
  const note = (text: string): void => {
    for (const word of wordsOf(text)) words.add(word)
    for (const [, dotted, quoted = ''] of text.matchAll(VARIABLE)) variables.add(dotted ?? quoted)
    for (const word of wordsOf(text.replace(VARIABLE, ' '))) others.add(word)
  }
  const visit = (current: ChainDefinition): boolean => {
    if (visited.has(current.id)) return true
    visited.add(current.id)
    return stepsOf(current).every((step) => {
      const callable = registry.find(step.operation)
      if (callable?.kind === 'operation' && callable.operation.callsTarget)
        if (!constantTarget(callable.operation, step)) return false
      note(JSON.stringify(step.params))
      return calledBy(step, registry).every((called) => called.kind !== 'chain' || visit(called.chain))
    })
  }
  return visit(chain) ? { words, others, variables } : undefined
}

const knownMentions = new WeakMap<Registry, Map<string, Mentions | undefined>>()

const mentionsOf = (chain: ChainDefinition, registry: Registry): Mentions | undefined => {
  const known = knownMentions.get(registry) ?? new Map<string, Mentions | undefined>()
  knownMentions.set(registry, known)
  if (!known.has(chain.id)) known.set(chain.id, mentionsIn(chain, registry))
  return known.get(chain.id)
}

/** Whether a chain may read a parameter that it does not declare: it mentions it, or calls what might. */
export const mayRead = (chain: ChainDefinition, name: string, registry: Registry): boolean => {
  const mentions = mentionsOf(chain, registry)
  return mentions === undefined || wordsOf(name).every((word) => mentions.words.has(word))
}

/** Whether all that a chain mentions by a name is a variable of the Context, which no parameter of a call is. */
export const isVariableAlone = (chain: ChainDefinition, name: string, registry: Registry): boolean => {
  const mentions = mentionsOf(chain, registry)
  return mentions?.variables.has(name) === true && !wordsOf(name).every((word) => mentions.others.has(word))
}
