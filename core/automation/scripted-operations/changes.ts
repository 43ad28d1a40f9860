import { fail, isArchivoltError } from '../../platform/errors/index.js'
import type { ScriptChange } from '../../platform/sandbox/scripts/index.js'
import type { NestedCall, Value, Variables } from '../language/index.js'
import { type Fact, factOf } from './document-facts.js'
import type { ScriptPlace } from './place.js'
import {
  decodeJson,
  decodeValue,
  encodeValue,
  forgetRecords,
  rememberDocument,
  type ScriptTable,
} from './script-values.js'

/** The name of a context variable. @throws badRequest for what cannot be one. */
export const requireName = (name: unknown): string => {
  if (typeof name === 'string' && name.trim() !== '' && name !== '__proto__') return name
  throw fail('badRequest', `'${String(name)}' cannot name a variable`)
}

/** Files are no plain JSON: they reach a parameter by way of a variable of its name. */
const callOf = (id: string, input: Value, params: unknown, table: ScriptTable): NestedCall => {
  const parameters: NonNullable<NestedCall['parameters']> = {}
  const variables: Variables = {}
  for (const [name, value] of Object.entries((params ?? {}) as { [name: string]: unknown })) {
    const decoded = decodeValue(value, table)
    if (decoded.type === 'blob' || decoded.type === 'blobs') variables[requireName(name)] = decoded
    else parameters[name] = decodeJson(value, table)
  }
  return { id, input, parameters, isolate: false, ...(Object.keys(variables).length > 0 && { variables }) }
}

/**
 * Scripts assign at one line and are refused at a later one, by an operation that they do not call: what fails is what
 * was set, and the operation's own words say why.
 */
const ofAssignment = (error: unknown): unknown => {
  if (!isArchivoltError(error)) return error
  const { cause, code, details, retryable } = error
  const reason =
    isArchivoltError(cause) && error.message.endsWith(cause.message) ? cause.message : error.message
  const message = `what the script has set on a document before this is refused: ${reason}`
  return fail(code, message, { cause: error, details, retryable })
}

const isFile = (value: unknown, table: ScriptTable): boolean => decodeValue(value, table).type === 'blob'

/**
 * Sets what a script has assigned: as the operation does that leaves it unsaved, and checks it.
 *
 * @throws what the operation refuses, said of the assignment.
 * @returns indexes of the documents that are other than the script has seen them.
 */
export const applyChanges = async (
  { context, scripts }: ScriptPlace,
  changes: readonly ScriptChange[],
): Promise<number[]> => {
  const stale: number[] = []
  for (const [document, properties] of changes) {
    const all = Object.entries(properties)
    const files = all.filter(([, value]) => isFile(value, scripts.table))
    const others = Object.fromEntries(all.filter(([, value]) => !isFile(value, scripts.table)))
    const calls = [
      ...(Object.keys(others).length > 0
        ? [['Document.Update', { properties: others, save: false }] as const]
        : []),
      ...files.map(([xpath, file]) => ['Document.SetBlob', { xpath, file, save: false }] as const),
    ]
    for (const [id, params] of calls) {
      const call = callOf(id, decodeValue(document, scripts.table), params, scripts.table)
      const output = await context.run(call).catch((error: unknown) => {
        throw ofAssignment(error)
      })
      if (output.type === 'document') stale.push(rememberDocument(scripts.table, output))
    }
  }
  return stale
}

/** Runs an operation or a chain that a script calls: its id, input and parameters as the sandbox encodes them. */
export const runOperation = async (
  place: ScriptPlace,
  [id, input, params]: readonly unknown[],
): Promise<{ value: unknown; stale?: readonly number[]; facts?: readonly Fact[] }> => {
  const { context, reader, scripts, session } = place
  const { table } = scripts
  const output = await context.run(callOf(String(id), decodeValue(input, table), params, table))
  forgetRecords(table)
  const value = await encodeValue(output, { table, reader })
  if (output.type !== 'document') return { value }
  const index = table.indexes.get(output.id)!
  // Most scripts look at what they have just made.
  const facts = output.record ? [factOf({ session, table }, index, output.record)] : []
  return { value, stale: [index], facts }
}
