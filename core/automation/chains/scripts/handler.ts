import {
  type ContributionText,
  checkYaml,
  createReport,
  jsonSchemaOf,
  MAX_TEXT_LENGTH,
  type Place,
  type PointHandler,
} from '../../../platform/contributions/index.js'
import { type ErrorDetail, fail, isArchivoltError } from '../../../platform/errors/index.js'
import { type Registry, type ScriptDefinition, scriptNamesOf } from '../../language/index.js'
import { scriptedOperation } from '../../scripted-operations/index.js'
import type { ChainRegistry } from '../chain-registry.js'
import { callersOf } from '../checking/targets.js'
import { refusalOfId } from '../ids.js'
import { MAX_PROBLEMS } from '../limits.js'
import { readScriptXml } from '../reading/read-script-xml.js'
import { refusalOfValue } from '../reading/text-rules.js'
import { viewOfScript, writeScriptXml, writeScriptYaml } from '../writing/write-script.js'
import { doubtfulParams, mustCommit } from './call-findings.js'
import { type UnknownCall, unknownCalls } from './calls.js'
import { operationCalls } from './operations.js'
import { lineOfScript, placeOfScript } from './place.js'
import { definitionOf, SCRIPTS, type ScriptContent, scriptContent, scriptsPoint } from './scripts-point.js'
import { refusalOfScript } from './syntax.js'

/** What deploying a scripted operation means: it replaces one of the configuration as a whole. */
export const createScriptHandler = (registry: ChainRegistry): PointHandler<ScriptDefinition> => ({
  point: SCRIPTS,
  entityType: 'scriptedOperation',
  noun: 'scripted operation',
  formats: ['yaml', 'json', 'xml'],
  refusalOfName: refusalOfId,
  defaults: () => registry.scripts,
  draft: (text) => {
    try {
      return readScript(text)
    } catch (error) {
      if (!isArchivoltError(error)) throw error
      return undefined
    }
  },
  examine: async (text, deployed, among = deployed) => {
    const base = registry.of(among)
    const definition = readScript(text)
    const calls = unknownCallsOf(definition, { registry: base, text: text.text })
    const problems = [...problemsWith(definition, base, text), ...calls.wrong]
    if (problems.length > 0) throw refused(text.name, problems)
    return {
      content: definition,
      mayReplace: true,
      plan: planOf(definition, base),
      warnings: calls.doubtful,
    }
  },
  checkRemovable: async ({ content }, deployed) => {
    if (registry.scripts.has(content.id)) return
    const { id, aliases } = content
    const callers = callersOf({ id, aliases, params: [], steps: [] }, registry.of(deployed))
    if (callers.length > 0)
      throw fail('conflict', `Scripted operation '${id}' is called by ${callers.join(', ')}`)
  },
  write: ({ content }, format, entity = {}) => {
    if (format === 'json') return JSON.stringify({ ...entity, ...viewOfScript(content) })
    return format === 'xml' ? writeScriptXml(content) : writeScriptYaml(content)
  },
  entity: ({ content }) => ({
    ...(content.description !== undefined && { description: content.description }),
    aliases: content.aliases,
  }),
  jsonSchema: () => ({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Scripted operation',
    ...jsonSchemaOf(scriptsPoint),
  }),
})

const refused = (id: string, details: readonly ErrorDetail[]) => {
  const [first] = details
  const place = first?.line === undefined ? '' : ` (line ${first.line}, column ${first.column ?? 1})`
  const more = details.length > 1 ? `, and ${details.length - 1} more` : ''
  const field = first?.field ? `${first.field}: ` : ''
  return fail('invalid', `Scripted operation '${id}' is refused: ${field}${first?.message}${place}${more}`, {
    details,
  })
}

/** @throws tooLarge, invalid with every problem. */
const readScript = ({ name: id, text, format }: ContributionText): ScriptDefinition => {
  if (text.length > MAX_TEXT_LENGTH)
    throw fail('tooLarge', `The script's text is longer than ${MAX_TEXT_LENGTH} characters`)
  const content = format === 'xml' ? contentOfXml(id, text) : contentOfText(id, text)
  return definitionOf(id, content)
}

const contentOfText = (id: string, text: string): ScriptContent => {
  const { value, problems } = checkYaml(text, scriptContent)
  if (problems) throw refused(id, problems)
  return value
}

const contentOfXml = (id: string, text: string): ScriptContent => {
  const { report, problems } = createReport()
  const read = readScriptXml(id, text, report)
  if (problems.length > 0 || !read) throw refused(id, problems)
  const checked = scriptContent.safeParse(read)
  if (checked.success) return checked.data
  throw refused(
    id,
    checked.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
  )
}

/** Where an alias stands; nothing for XML, whose elements are no fields. */
const placeOfAlias = (
  { text, format }: ContributionText,
  index: number,
): { line?: number; column?: number } => {
  const checked = format === 'xml' ? undefined : checkYaml(text, scriptContent)
  return checked && !checked.problems ? checked.source.locate(['aliases', index]) : {}
}

const problemsWith = (
  definition: ScriptDefinition,
  registry: Registry,
  source: ContributionText,
): ErrorDetail[] => {
  const { text } = source
  const { id, aliases, script, params } = definition
  const problems: ErrorDetail[] = []
  const note = (field: string, message: string | undefined, place: object = {}): void => {
    if (message !== undefined) problems.push({ ...place, field, message })
  }
  const ownerOf = (name: string): string | undefined => {
    const owner = registry.find(name)
    if (owner?.kind === 'chain') return `the chain ${owner.chain.id}`
    const isOwn = owner === undefined || owner.operation.script?.id === id
    return isOwn ? undefined : `the operation ${owner.operation.id}`
  }
  for (const [index, name] of [id, ...aliases].entries()) {
    const field = index === 0 ? 'id' : `aliases[${index - 1}]`
    const refusal = refusalOfId(name)
    const owner = ownerOf(name)
    const isRepeated = index > 0 && [id, ...aliases].indexOf(name) !== index
    const isWrong = refusal !== undefined || owner !== undefined || isRepeated
    const place = isWrong && index > 0 ? placeOfAlias(source, index - 1) : {}
    if (refusal) note(field, `"${name}" cannot name an operation: it ${refusal}`, place)
    if (owner) note(field, `"${name}" is taken by ${owner}`, place)
    if (isRepeated) note(field, `"${name}" is given twice`, place)
  }
  const names = params.map(({ name }) => name)
  for (const [index, name] of names.entries())
    if (names.indexOf(name) !== index) note(`params.${name}`, `the parameter "${name}" is declared twice`)
  for (const [field, value] of Object.entries(viewOfScript(definition))) note(field, refusalOfValue(value))
  const fault = refusalOfScript(id, script)
  if (fault) {
    const { message, at } = fault
    problems.push({ field: 'script', ...(at ? inScript(definition, text)({ ...at, message }) : { message }) })
  }
  return problems
}

/**
 * What a script calls that there is not: typos, and what might still be deployed. The script itself may be
 * called by its own names.
 */
export const unknownCallsOf = (
  { script, ...definition }: ScriptDefinition,
  { registry, text }: { registry: Registry; text: string },
): { wrong: readonly ErrorDetail[]; doubtful: readonly ErrorDetail[] } => {
  const isReadable = refusalOfScript(definition.id, script) === undefined
  if (!isReadable) return { wrong: [], doubtful: [] }
  const names = scriptNamesOf(registry, [definition])
  const unknown = unknownCalls(script, names).map((call): Found => ({ ...call, message: sayingOf(call) }))
  const calls = operationCalls(script, names)
  const place = inScript({ script }, text)
  const details = (found: readonly Found[]): readonly ErrorDetail[] =>
    found.slice(0, MAX_PROBLEMS).map((each) => ({ field: 'script', ...place(each) }))
  return {
    wrong: details([...unknown.filter(({ meant }) => meant !== undefined), ...mustCommit(calls, registry)]),
    doubtful: details([
      ...unknown.filter(({ meant }) => meant === undefined),
      ...doubtfulParams(calls, registry),
    ]),
  }
}

type Found = Place & { message: string; meant?: string }

const sayingOf = ({ name, meant, mistake }: UnknownCall): string => {
  const hint = meant === undefined ? '; the script fails where it calls it' : `, did you mean "${meant}"?`
  return mistake ?? `unknown operation "${name}"${hint}`
}

/** A place of a script as one in the text that deploys it, or the line where that has others. */
const inScript =
  ({ script }: Pick<ScriptDefinition, 'script'>, text: string) =>
  ({ line, column, message }: Found): Pick<ErrorDetail, 'line' | 'column' | 'message'> => {
    const place = placeOfScript(text, script, { line, column })
    return place ? { ...place, message } : { message: `${message}${lineOfScript({ line, column })}` }
  }

/** A scripted operation as a designer reads it: what goes in and comes out, and that it never commits. */
const planOf = (definition: ScriptDefinition, registry: Registry) => {
  const { methods } = scriptedOperation(definition)
  const words = new Set(definition.script.match(/[\w$]+(?:\.[\w$]+)?/g) ?? [])
  const calls = [...registry.operations, ...registry.chains].filter(({ id, aliases = [] }) =>
    [id, ...aliases].some((name) => words.has(name.replace(/[ \-()]/g, '_'))),
  )
  return {
    operationId: definition.id,
    segments: [{ kind: 'segment', title: definition.id, steps: [definition.id], isSlow: false }],
    boundaries: 0,
    signatures: methods.map(({ input, output }) => ({ input, output })),
    calls: calls.map(({ id }) => id),
  }
}
