import { TAG } from '../../platform/sandbox/expressions/index.js'
import {
  type DocumentReader,
  documentsValue,
  documentValue,
  type ParameterType,
  type ScriptInvocation,
  type ScriptOutcome,
  type Value,
  valueOfJson,
} from '../language/index.js'
import { applyChanges } from './changes.js'
import type { ScriptPlace } from './place.js'
import { answerCall } from './script-calls.js'
import { decodeValue, encodeValue, type ScriptTable } from './script-values.js'

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
  const { input, params = {}, types = {}, names = {}, variables = {} } = invocation
  const options = { table, reader }
  const given = {
    input: await encodeValue(input, options),
    params: await mapped(params, (value, name) => encodeParameter(value, { ...options, type: types[name] })),
    names: await mapped(names, (value) => encodeValue(value, options)),
    variables: await mapped(variables, (value) => encodeValue(value, options)),
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
