import { getProperty } from '../../model/properties/index.js'
import { fail, isArchivoltError } from '../../platform/errors/index.js'
import { userData } from '../../platform/sandbox/expressions/index.js'
import { overLimit, type ScriptAnswer, type ScriptCall } from '../../platform/sandbox/scripts/index.js'
import { callHostFunction } from '../host-functions/index.js'
import { logOfUser, type Value, VOID } from '../language/index.js'
import { applyChanges, requireName, runOperation } from './changes.js'
import { type Fact, factsOf } from './document-facts.js'
import type { ScriptPlace } from './place.js'
import { decodeJson, decodeValue, encodeJson, encodeValue, type ScriptTable } from './script-values.js'

/** Documents among arguments as other sandboxes name them too. */
const plainArgument = (value: unknown, table: ScriptTable): unknown => {
  const decoded = decodeValue(value, table)
  return decoded.type === 'document' ? { documentRef: decoded.id } : decodeJson(value, table)
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
      const [document, asksRest] = args as [{ v: number }, boolean]
      if (asksRest) table.includesRest = true
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
      logOfUser(services, session.principal, level, text, { source: 'script' })
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
        await callHostFunction(
          place,
          question,
          args.map((arg) => plainArgument(arg, table)),
        ),
      )
  }
}

const MAX_TEXT = 1024 * 1024

const textOfBlob = async ({ services, scripts }: ScriptPlace, argument: unknown): Promise<string> => {
  const value = decodeValue(argument, scripts.table)
  if (value.type !== 'blob') throw fail('badRequest', 'A blob is expected')
  if (value.blob.length > MAX_TEXT)
    throw fail('badRequest', `The text of a file of more than ${MAX_TEXT} bytes cannot be read by a script`)
  const chunks: Buffer[] = []
  for await (const chunk of await services.blobs.open(value.blob)) chunks.push(Buffer.from(chunk))
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

/** Answers what a script calls or asks, after what it has assigned since it last did. Never fails. */
export const answerCall = async (place: ScriptPlace, call: ScriptCall): Promise<ScriptAnswer> => {
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
