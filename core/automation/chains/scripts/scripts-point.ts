import { z } from 'zod'
import { type Contributions, defineExtensionPoint } from '../../../platform/contributions/index.js'
import type { ScriptDefinition, ValueType } from '../../language/index.js'
import { refusalOfId } from '../ids.js'
import { PARAMETER_TYPES } from '../reading/literals.js'
import { lineOfScript } from './place.js'
import { refusalOfScript } from './syntax.js'

/** The extension point of scripted operations, in the store and in configuration files. */
export const SCRIPTS = 'scripts'

const VALUE_TYPES: readonly ValueType[] = [
  ...(['void', 'document', 'documents', 'blob', 'bloblist', 'string', 'number', 'boolean'] as const),
  ...(['date', 'object'] as const),
]

/** What callers of the reference write for a type of ours. */
const OTHER_NAMES: { readonly [name: string]: ValueType } = {
  blobs: 'bloblist',
  integer: 'number',
  long: 'number',
  float: 'number',
  any: 'object',
  map: 'object',
  list: 'object',
}

const lowerCase = (name: unknown): unknown => (typeof name === 'string' ? name.toLowerCase() : name)

const valueType = z
  .preprocess(lowerCase, z.enum([...VALUE_TYPES, ...Object.keys(OTHER_NAMES)] as [string, ...string[]]))
  .describe('The type that the planner of chains counts on')

const scalar = z.union([z.string(), z.number(), z.boolean()])

const parameter = z
  .strictObject({
    type: z.enum(PARAMETER_TYPES).default('string'),
    description: z.string().optional(),
    required: z.boolean().default(false),
    values: z.array(scalar).optional().describe('Hints; the first one is also the default'),
  })
  .nullable()

const named = z.record(z.string().min(1), parameter)

/** What is written of a scripted operation (reference: automation.md §10). */
export const scriptContent = z.strictObject({
  label: z.string().optional(),
  category: z.string().default('Scripting'),
  description: z.string().optional(),
  aliases: z.array(z.string()).default([]).describe('Other names of the operation'),
  inputType: valueType.optional(),
  outputType: valueType.optional(),
  params: z.union([named, z.array(named)]).optional(),
  script: z.string().min(1).describe('JavaScript that declares function run(input, params)'),
})

export type ScriptContent = z.output<typeof scriptContent>

const typeOf = (name: string | undefined): ValueType | undefined =>
  name === undefined
    ? undefined
    : ((Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : name) as ValueType)

/** The operation that a checked content declares. */
export const definitionOf = (id: string, content: ScriptContent): ScriptDefinition => {
  const { label, category, description, aliases, params = {}, script } = content
  const [inputType, outputType] = [typeOf(content.inputType), typeOf(content.outputType)]
  const entries = (Array.isArray(params) ? params : [params]).flatMap((map) => Object.entries(map))
  return {
    id,
    aliases,
    category,
    script,
    ...(label !== undefined && { label }),
    ...(description !== undefined && { description }),
    ...(inputType && { inputType }),
    ...(outputType && { outputType }),
    params: entries.map(([name, declared]) => ({
      name,
      type: declared?.type ?? 'string',
      isRequired: declared?.required ?? false,
      ...(declared?.description !== undefined && { description: declared.description }),
      values: (declared?.values ?? []).map(String),
    })),
  }
}

/** Scripted operations in configuration files, by id. */
export const scriptsPoint = defineExtensionPoint({
  point: SCRIPTS,
  schema: scriptContent,
  merge: (_, later) => later,
  check: (content, { name }) => {
    const refusal = refusalOfId(name)
    const fault = refusalOfScript(name, content.script)
    return [
      ...(refusal
        ? [{ path: [], onKey: true, message: `"${name}" cannot be an operation's id: it ${refusal}` }]
        : []),
      ...(fault
        ? [{ path: ['script'], message: `${fault.message}${fault.at ? lineOfScript(fault.at) : ''}` }]
        : []),
    ]
  },
})

/** The scripted operations of a configuration that `loadContributions` has checked. */
export const scriptsOf = (contributions: Contributions): ScriptDefinition[] =>
  [...contributions.get(scriptsPoint)].map(([id, content]) => definitionOf(id, content))
