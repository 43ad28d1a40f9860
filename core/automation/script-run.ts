import { type DocumentRecord, hostDocument, type Session } from '../documents/index.js'
import { fail, isArchivoltError } from '../errors/index.js'
import { TAG, userData } from '../expressions/index.js'
import { getProperty } from '../properties/index.js'
import {
  overLimit,
  type Program,
  type ScriptAnswer,
  type ScriptCall,
  type ScriptChange,
  type ScriptEngine,
  type ScriptLane,
  type ScriptNames,
} from '../scripting/index.js'
import { type Asker, answerQuestion } from './answers.js'
import type { DocumentReader } from './documents.js'
import type { NestedCall, OperationContext, ParameterType } from './operation.js'
import {
  createScriptTable,
  decodeJson,
  decodeValue,
  encodeJson,
  encodeValue,
  forgetRecords,
  rememberDocument,
  type ScriptTable,
} from './script-values.js'
import { documentsValue, documentValue, type Value, type Variables, VOID, valueOfJson } from './values.js'

/** A script that an operation runs, in its transaction. */
export type ScriptInvocation = {
  program(names: ScriptNames): Program
  input: Value
  /** Values as `resolveParameters` gives them, and of which types they are. */
  params?: { [name: string]: unknown }
  types?: { [name: string]: ParameterType }
  /** Further values by name: the names that its statements read. */
  names?: { [name: string]: Value }
}

export type ScriptOutcome = {
  /** What it returns: documents, lists of them and files as such, the rest as plain values. */
  output: Value
  /** What came in, with what the script has set of it and nobody has saved. */
  input: Value
}

/** The scripts of one transaction. */
export type TransactionScripts = {
  engine: ScriptEngine
  lane: ScriptLane
  table: ScriptTable
  written: { characters: number }
}

export const openScripts = (engine: ScriptEngine, owner: string): TransactionScripts => ({
  engine,
  lane: engine.openLane(owner),
  table: createScriptTable(),
  written: { characters: 0 },
})

/** What a script needs of the place that it runs in. */
export type ScriptPlace = Asker & {
  context: OperationContext
  reader: DocumentReader
  scripts: TransactionScripts
  names(): ScriptNames
}

/** Documents whose facts travel together, when a script begins to read those of a list. */
const FACTS_AT_ONCE = 100
const FACTS_LENGTH = 256 * 1024

type Fact = readonly [index: number, facts: unknown]

const factOf = (
  { session, table }: { session: Session; table: ScriptTable },
  index: number,
  record: DocumentRecord,
): Fact => {
  const { get: _, state, ...core } = hostDocument(session, record)
  const isImmutable = core.isVersion || core.facets.includes('Immutable')
  return [
    index,
    {
      core: { ...core, ref: core.id, lifeCycle: state, isImmutable },
      properties: encodeJson(record.properties, table),
    },
  ]
}

const factsOf = async ({ session, reader, scripts }: ScriptPlace, first: number): Promise<Fact[]> => {
  const { table } = scripts
  const known = table.documents.slice(first, first + FACTS_AT_ONCE)
  const unread = known.flatMap(({ id, record }) => (record ? [] : [id]))
  const read = unread.length > 0 ? await reader.many({ type: 'documents', ids: unread }) : []
  for (const record of read) rememberDocument(table, { id: record.id, record })
  const facts: Fact[] = []
  let length = 0
  for (let index = first; index < first + known.length; index++) {
    const { id, record } = table.documents[index]!
    if (!record) {
      if (index > first) continue
      throw fail('notFound', id)
    }
    const fact = factOf({ session, table }, index, record)
    length += JSON.stringify(fact).length
    if (length > FACTS_LENGTH && facts.length > 0) break
    facts.push(fact)
  }
  return facts
}

/** Documents among arguments as other sandboxes name them too. */
const plainArgument = (value: unknown, table: ScriptTable): unknown => {
  const decoded = decodeValue(value, table)
  return decoded.type === 'document' ? { documentRef: decoded.id } : decodeJson(value, table)
}

const requireName = (name: unknown): string => {
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

const isFile = (value: unknown, table: ScriptTable): boolean => decodeValue(value, table).type === 'blob'

/** Sets what a script has assigned: as the operation does that leaves it unsaved, and checks it. */
const applyChanges = async ({ context, scripts }: ScriptPlace, changes: readonly ScriptChange[]) => {
  const stale: number[] = []
  for (const [document, properties] of changes) {
    const files = Object.entries(properties).filter(([, value]) => isFile(value, scripts.table))
    const others = Object.fromEntries(
      Object.entries(properties).filter(([xpath]) => !files.some(([name]) => name === xpath)),
    )
    const calls = [
      ...(Object.keys(others).length > 0
        ? [['Document.Update', { properties: others, save: false }] as const]
        : []),
      ...files.map(([xpath, file]) => ['Document.SetBlob', { xpath, file, save: false }] as const),
    ]
    for (const [id, params] of calls) {
      const output = await context.run(
        callOf(id, decodeValue(document, scripts.table), params, scripts.table),
      )
      if (output.type === 'document') stale.push(rememberDocument(scripts.table, output))
    }
  }
  return stale
}

const runOperation = async (place: ScriptPlace, [id, input, params]: readonly unknown[]) => {
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

/** A failure that left nothing half done, so that a script may go on: one document was looked for in vain. */
const mayGoOn = (error: unknown, { question, args }: ScriptCall): boolean => {
  if (!isArchivoltError(error) || error.retryable) return false
  return question !== 'op' || (error.code === 'notFound' && !Array.isArray(args[1]))
}

const answerScript = async (
  place: ScriptPlace,
  { question, args }: ScriptCall,
): Promise<{ value: unknown; stale?: readonly number[]; facts?: readonly Fact[] }> => {
  const { context, reader, scripts, session, services } = place
  const { table } = scripts
  const encoded = async (value: Value) => ({ value: await encodeValue(value, { table, reader }) })
  switch (question) {
    case 'op':
      return runOperation(place, args)
    case 'facts': {
      const document = args[0] as { v: number }
      return { value: await factsOf(place, document.v) }
    }
    case 'property': {
      const known = decodeValue(args[0], table)
      if (known.type !== 'document') return { value: null }
      const record = known.record ?? (await reader.one(known))
      const { model } = session
      return {
        value: encodeJson(getProperty(record.properties, { model, xpath: String(args[1]) }) ?? null, table),
      }
    }
    case 'ctx.get': {
      const name = String(args[0])
      return encoded((Object.hasOwn(context.variables, name) && context.variables[name]) || VOID)
    }
    case 'ctx.has':
      return { value: Object.hasOwn(context.variables, String(args[0])) }
    case 'ctx.set': {
      const name = requireName(args[0])
      context.variables[name] = decodeValue(args[1], table)
      return { value: null }
    }
    case 'log': {
      const [level, text] = args as ['debug' | 'info' | 'warn' | 'error', string]
      services.log(level, text, { source: 'script' })
      return { value: null }
    }
    case 'user':
      return { value: userData(session.principal) }
    case 'repository':
      return { value: session.repository }
    case 'blob.text':
      return { value: await textOfBlob(place, args[0]) }
    default:
      return encoded(
        await answerQuestion(
          place,
          question,
          args.map((arg) => plainArgument(arg, table)),
        ),
      )
  }
}

const MOST_TEXT = 1024 * 1024

const textOfBlob = async ({ services, scripts }: ScriptPlace, argument: unknown): Promise<string> => {
  const value = decodeValue(argument, scripts.table)
  if (value.type !== 'blob') throw fail('badRequest', 'A blob is expected')
  if (value.blob.length > MOST_TEXT)
    throw fail('badRequest', `The text of a file of more than ${MOST_TEXT} bytes cannot be read by a script`)
  const chunks: Buffer[] = []
  for await (const chunk of await services.blobs.open(value.blob.digest)) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

const overOutput = ({ scripts }: ScriptPlace, { question, args }: ScriptCall): ScriptAnswer | undefined => {
  if (question !== 'log') return undefined
  const { engine, written } = scripts
  written.characters += String(args[1]).length
  if (written.characters <= engine.limits.outputLength) return undefined
  const error = fail('operationFailed', `The script ${overLimit('outputLength', engine.limits)}`)
  return { error, isFinal: true, ends: true }
}

const answerCall = async (place: ScriptPlace, call: ScriptCall): Promise<ScriptAnswer> => {
  const refused = overOutput(place, call)
  if (refused) return refused
  try {
    const changed = await applyChanges(place, call.changes)
    const { value, stale = [], facts } = await answerScript(place, call)
    return { value, stale: [...changed, ...stale], ...(facts && { facts }) }
  } catch (error) {
    return { error, isFinal: !mayGoOn(error, call) }
  }
}

/** A parameter's value as the script finds it in `params`. */
const encodeParameter = async (
  value: unknown,
  { type, table, reader }: { type: ParameterType | undefined; table: ScriptTable; reader: DocumentReader },
): Promise<unknown> => {
  if (value === undefined || value === null) return null
  const encoded = (known: Value) => encodeValue(known, { table, reader })
  switch (type) {
    case 'document':
      return encoded(documentValue(value as Parameters<typeof documentValue>[0]))
    case 'documents':
      return encoded(documentsValue(value as Parameters<typeof documentsValue>[0]))
    case 'date':
      return { [TAG]: 'date', v: Date.parse(String(value)) }
    case 'object':
      return encoded(value as Value)
    default:
      return encoded(valueOfJson(value as Parameters<typeof valueOfJson>[0]))
  }
}

const mapped = async <In, Out>(
  record: { [name: string]: In },
  work: (value: In, name: string) => Promise<Out>,
): Promise<{ [name: string]: Out }> =>
  Object.fromEntries(
    await Promise.all(Object.entries(record).map(async ([name, value]) => [name, await work(value, name)])),
  )

/**
 * Runs a script in the transaction of its caller; what it calls runs there too.
 *
 * @throws operationFailed for what the script does wrong; what an operation that it calls fails with, also when
 *   the script catches it, unless it only looked for a document that is not there.
 */
export const runScript = async (place: ScriptPlace, invocation: ScriptInvocation): Promise<ScriptOutcome> => {
  const { reader, scripts, session } = place
  const { table } = scripts
  const { input, params = {}, types = {}, names = {} } = invocation
  const options = { table, reader }
  const given = {
    input: await encodeValue(input, options),
    params: await mapped(params, (value, name) => encodeParameter(value, { ...options, type: types[name] })),
    names: await mapped(names, (value) => encodeValue(value, options)),
    now: session.now.getTime(),
  }
  const { value, changes } = await scripts.lane.run({
    program: invocation.program(place.names()),
    given,
    signal: place.signal,
    answer: (call) => answerCall(place, call),
  })
  await applyChanges(place, changes)
  return {
    output: decodeValue(value, table),
    input: input.type === 'document' ? decodeValue(given.input, table) : input,
  }
}
