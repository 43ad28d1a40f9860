import { didYouMean, suggestion } from '../../../../platform/contributions/index.js'
import { namesIn, PLATFORM_NAMES } from '../../../../platform/sandbox/expressions/index.js'
import type { ChainDefinition } from '../../../language/index.js'

/** What is probably a mistake in a text, and where it begins. */
type Finding = { at: number; message: string }

const first = (text: string, pattern: RegExp, message: (found: string) => string): Finding[] => {
  const match = pattern.exec(text)
  return match ? [{ at: match.index, message: message(match[1] ?? match[0]) }] : []
}

/** Objects of expressions, by which a template of another notation is recognized. */
const OBJECTS = 'Document|Documents|Context|ChainParameters|CurrentUser|CurrentDate|This|Fn|Session|Env'
const OTHER_TEMPLATE = new RegExp(`[$#]\\{\\s*(?:${OBJECTS})\\b`)

/** The first template of another notation: where that is never closed, no later one is. */
const otherTemplate = (text: string): Finding[] => {
  const match = OTHER_TEMPLATE.exec(text)
  const end = match ? text.indexOf('}', match.index) : -1
  if (!match || end < 0) return []
  const found = text.slice(match.index, end + 1)
  const inside = found.slice(2, -1).trim()
  return [{ at: match.index, message: `${found} stays as it is: write expr:@{${inside}}` }]
}

/** What a text that is only text probably means to be. */
export const findingsInText = (text: string): readonly Finding[] => [
  ...first(text, /^(?:\s+expr\s*|\s*(?:exp|exr|epxr|expre|mvel|e?xpr)\s*):/i, (mark) =>
    mark === 'expr:'
      ? ''
      : `"${mark.trim()}" is text: what is evaluated begins with expr:, with nothing before it`,
  ).filter(({ message }) => message !== ''),
  ...otherTemplate(text),
  ...first(
    text,
    /^[“”„«].*[“”»]$/s,
    () => 'the typographic quotes are part of the text; YAML knows " and \'',
  ),
]

/** What takes the place of Java classes that expressions of the incumbent make. */
const INSTEAD: { readonly [name: string]: string } = {
  ArrayList: '[]',
  LinkedList: '[]',
  HashMap: '{}',
  LinkedHashMap: '{}',
  HashSet: '[]',
  StringBuilder: 'text that is joined by +',
  StringBuffer: 'text that is joined by +',
  SimpleDateFormat: 'CurrentDate.format("yyyy-MM-dd")',
  System: 'CurrentDate.time for the time, Fn for the rest',
  Calendar: 'CurrentDate',
  GregorianCalendar: 'CurrentDate',
  UUID: 'Fn.getNextId("key") for a number of its own',
}

const JAVA = /(?<![\w.$])(?:new\s+)?((?:javax?|org|com)\.(?:[a-z]\w*\.)*[A-Z]\w*)/g
const MADE = /(?<![\w.$])new\s+([A-Z]\w*)/g
const OF_JAVASCRIPT = new Set(Object.getOwnPropertyNames(globalThis))

const javaClasses = (source: string): Finding[] => {
  const found = [...source.matchAll(JAVA), ...source.matchAll(MADE)]
  return found.flatMap((match) => {
    const name = match[1]!
    const simple = name.split('.').at(-1)!
    const isThere = name === 'java.util.Date' || (!name.includes('.') && OF_JAVASCRIPT.has(name))
    if (isThere) return []
    const instead = Object.hasOwn(INSTEAD, simple) ? `; take ${INSTEAD[simple]}` : ''
    return [{ at: match.index, message: `there is no class ${name} in expressions${instead}` }]
  })
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const wordsIn = (text: string): string[] => text.match(/[A-Za-z_$][\w$]*/g) ?? []

/** What the names of a chain's expressions may be: those that its steps write down are variables that they set, or hand on. */
type Known = { variables: ReadonlySet<string>; declared: readonly string[]; hints: Map<string, string> }

/** Words that are compared with what an expression reads, and different names that are. */
const MAX_COMPARED = 500

const knownBy = new WeakMap<ChainDefinition, Known>()

const knownOf = (chain: ChainDefinition): Known => {
  const before = knownBy.get(chain)
  if (before) return before
  const texts = chain.steps.flatMap(({ params }) => [
    ...Object.keys(params),
    ...textsIn(params).filter((text) => !text.startsWith('expr:')),
  ])
  const declared = chain.params.map(({ name }) => name)
  const known = { variables: new Set(texts.flatMap(wordsIn)), declared, hints: new Map<string, string>() }
  knownBy.set(chain, known)
  return known
}

const hintFor = (name: string, { variables, declared }: Known): string => {
  const names = [...PLATFORM_NAMES, ...[...variables].slice(0, MAX_COMPARED)]
  const asIs = names.find((known) => known.toLowerCase() === name.toLowerCase())
  if (asIs) return `, did you mean "${asIs}"?`
  const parameter = didYouMean(name, declared)
  return parameter ? `, did you mean ChainParameters["${parameter}"]?` : suggestion(name, names)
}

const SHORTEST = 4

/** Names that are almost those of something, and of nothing that is there. */
const misspelledNames = (text: string, chain: ChainDefinition): Finding[] => {
  const known = knownOf(chain)
  const { variables, declared, hints } = known
  return namesIn(text).flatMap(({ name, at }) => {
    const isKnown = variables.has(name) || declared.includes(name) || PLATFORM_NAMES.includes(name)
    if (name.length < SHORTEST || isKnown || OF_JAVASCRIPT.has(name)) return []
    if (!hints.has(name) && hints.size < MAX_COMPARED) hints.set(name, hintFor(name, known))
    const hint = hints.get(name) ?? ''
    return hint === '' ? [] : [{ at, message: `nothing here is called "${name}"${hint}` }]
  })
}

/** Members of objects whose others are left to whoever made them. */
const MEMBERS: { readonly [holder: string]: readonly string[] } = {
  CurrentUser: [
    ...['name', 'firstName', 'lastName', 'company', 'email', 'groups', 'allGroups'],
    ...['isAdministrator', 'administrator', 'actingUser', 'originatingUser'],
  ],
  CurrentDate: [
    ...['days', 'weeks', 'months', 'years', 'hours', 'minutes', 'seconds', 'format', 'businessDays'],
    ...['date', 'calendar', 'time', 'year', 'month', 'day', 'hour', 'minute', 'second'],
  ],
}

const members = (source: string): Finding[] =>
  [...source.matchAll(/(?<![\w.$])(CurrentUser|currentUser|CurrentDate)\s*\.\s*([A-Za-z]\w*)/g)].flatMap(
    (match) => {
      const [, holder = '', key = ''] = match
      const known = MEMBERS[holder === 'currentUser' ? 'CurrentUser' : holder] ?? []
      const hint = known.includes(key) ? '' : suggestion(key, known)
      return hint === ''
        ? []
        : [{ at: match.index, message: `${holder}.${key}: there is no such property${hint}` }]
    },
  )

/** The text with what stands in quotes blanked; a quote without an end is none. */
const withoutTexts = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.?)*(?:"|$)|'(?:[^'\\]|\\.?)*(?:'|$)/gs, (quoted) =>
    quoted.length > 1 && quoted.endsWith(quoted[0]!) ? ' '.repeat(quoted.length) : quoted,
  )

/** What an expression that can be read probably does not mean; it fails, or is null, when it is evaluated. */
export const findingsInExpression = (text: string, chain: ChainDefinition): readonly Finding[] => {
  const source = withoutTexts(text)
  const written =
    /(?<![\w.$])Context\s*(?:\[[^\][]*\]|\.\s*\w+)\s*=(?![=>~])|(?<![\w.$])Context\s*\.\s*put\s*\(/
  return [
    ...first(
      source,
      /\(\s*[\w.]+\s+in\s+[A-Za-z]/,
      () => 'in asks for a key; each property of a list is Documents.map(d => d.title)',
    ),
    ...javaClasses(source),
    ...members(source),
    ...misspelledNames(text, chain),
    ...first(
      source,
      written,
      () => 'an expression sets no variable of the run; Context.SetVar does, with this as its value',
    ),
  ]
}
