import { didYouMean } from '../../../../platform/contributions/index.js'
import {
  namesIn,
  PLATFORM_NAMES,
  type Reference,
  referencesIn,
  refusalOfExpression,
} from '../../../../platform/sandbox/expressions/index.js'
import { type ChainDefinition, isExpression, type Registry } from '../../../language/index.js'

/** Variables of every run that an event, or several at once, starts, and of error chains. */
const GIVEN = ['Event', 'Events', 'Exception', 'exceptionName', 'exceptionObject']

/** Variables of chains that document workflows run. */
const OF_WORKFLOWS = [
  ...['WorkflowVariables', 'NodeVariables', 'WorkflowId', 'workflowInitiator', 'workflowStartTime'],
  ...['workflowParent', 'workflowParentNode', 'workflowInstanceId', 'workflowDocuments', 'documents'],
  ...['taskDueTime', 'nodeId', 'nodeState', 'state', 'nodeStartTime', 'nodeEndTime', 'nodeLastActor'],
  ...['comment', 'transition'],
]

/** Where names of Java classes begin, of which others warn. */
const PACKAGES = ['java', 'javax', 'org', 'com']

/** What other platforms call a failure. */
const OF_FAILURES = /^(?:last)?(?:err|error|exception|failure)(?:Message|Object|Code)?$/i

/** Such expressions allow for a variable that is absent. */
const ALLOWING = /\b(?:null|nil|empty|isdef|undefined)\b|\?\?|\|\||\bor\b/

const ASSIGNING = /\bContext\s*(?:\[[^\][]*\]|\.\s*\w+)\s*=(?![=>~])/

const SHORTEST = 4

/** Variables of a chain that are compared with one that nothing sets: nobody who writes one sets as many. */
const MAX_COMPARED = 500

const wordsIn = (text: string): string[] => text.match(/[A-Za-z_$][\w$]*/g) ?? []

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return isExpression(value) ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)])
}

/** Words by which steps may name a variable that they set, or hand on; the list of a loop is only read. */
const wordsOfChain = ({ steps, params }: ChainDefinition): string[] => [
  ...params.map(({ name }) => name),
  ...steps.flatMap(({ params: { list, ...others } }) =>
    textsIn(typeof list === 'string' ? others : { list, ...others }).flatMap(wordsIn),
  ),
]

/** Variables that steps set by name, and those that a call sets. */
const variablesNamedIn = ({ steps, params }: ChainDefinition): string[] => [
  ...params.map(({ name }) => name),
  ...steps.flatMap((step) =>
    Object.entries(step.params).flatMap(([key, value]) =>
      /name$/i.test(key) && typeof value === 'string' && !isExpression(value) ? [value] : [],
    ),
  ),
]

const known = new WeakMap<Registry, ReadonlySet<string>>()

/** The same of all that is deployed: callers of a chain set variables, and so does what it calls. */
const wordsOf = (registry: Registry): ReadonlySet<string> => {
  const before = known.get(registry)
  if (before) return before
  const words = new Set([
    ...PLATFORM_NAMES,
    ...GIVEN,
    ...OF_WORKFLOWS,
    ...PACKAGES,
    ...registry.chains.flatMap(wordsOfChain),
    ...registry.operations.flatMap(({ params, script }) => [
      ...Object.entries(params).flatMap(([name, { default: otherwise }]) => [name, ...textsIn(otherwise)]),
      ...(script ? wordsIn(script.script) : []),
    ]),
  ])
  known.set(registry, words)
  return words
}

/** Whether a step sets a variable whose name is known only when it runs. */
const setsAny = ({ steps }: ChainDefinition): boolean =>
  steps.some(({ params }) =>
    Object.entries(params).some(([name, value]) => /name$/i.test(name) && isExpression(value)),
  )

type Unset = { at: number; message: string }

/** What the expressions of one chain are read against. */
export type VariablesOf = {
  isUnset(name: string): boolean
  /** What the chain's own steps and parameters call their variables. */
  named: readonly string[]
  /** Those of them that are parameters. */
  declared: readonly string[]
}

/** @param isMisshapen something of the chain could not be read, and may set any variable. */
export const variablesOf = (
  chain: ChainDefinition,
  { registry, isMisshapen }: { registry: Registry; isMisshapen: boolean },
): VariablesOf => {
  const isOpen = isMisshapen || setsAny(chain)
  const own = new Set(isOpen ? [] : wordsOfChain(chain))
  return {
    isUnset: (name) =>
      !isOpen &&
      name.length >= SHORTEST &&
      !own.has(name) &&
      !wordsOf(registry).has(name) &&
      !Object.hasOwn(globalThis, name),
    named: variablesNamedIn(chain),
    declared: chain.params.map((param) => param.name),
  }
}

/**
 * The variable that the list of a loop probably means: nothing sets one of the list's name, and the chain sets one
 * whose name is nearly the same.
 */
export const meantList = (list: unknown, { isUnset, named }: VariablesOf): string | undefined =>
  typeof list === 'string' && !isExpression(list) && isUnset(list) ? didYouMean(list, named) : undefined

const read = (text: string): { name: string; at: number }[] => [
  ...namesIn(text),
  ...referencesIn(text, ['Context']).flatMap(({ key, isCall, at }: Reference) =>
    isCall || !/^[A-Za-z_]\w*$/.test(key) ? [] : [{ name: key, at }],
  ),
]

const hintFor = (name: string, { named, declared }: VariablesOf): string => {
  if (OF_FAILURES.test(name)) return '; an error chain reads exceptionName and exceptionObject'
  const meant = didYouMean(name, named.slice(0, MAX_COMPARED))
  if (meant === undefined) return ', unless a caller passes it'
  return `, did you mean ${declared.includes(meant) ? `ChainParameters["${meant}"]` : `"${meant}"`}?`
}

/**
 * Variables that an expression reads and that nothing sets: no step, no other chain, script or operation names them.
 * Null at run time, unless a caller passes them.
 */
export const unsetVariables = (text: string, variables: VariablesOf): Unset[] => {
  if (ALLOWING.test(text) || ASSIGNING.test(text)) return []
  // Its words are not what they seem, and it is refused.
  if (refusalOfExpression(isExpression(text) ? text : `expr:${text}`)) return []
  return read(text).flatMap(({ name, at }) => {
    if (!variables.isUnset(name)) return []
    return [
      { at, message: `nothing sets the variable "${name}", so that it is null${hintFor(name, variables)}` },
    ]
  })
}
