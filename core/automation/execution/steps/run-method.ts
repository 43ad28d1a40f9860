import { type BlobValue, type DocumentRecord, normalizeDate } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import {
  createCharacterBudget,
  giveTurn,
  isTurnOver,
  throwIfStopped,
} from '../../../platform/limits/index.js'
import {
  choosePath,
  commaItems,
  type DocumentReader,
  documentsValue,
  isMapped,
  jsonOf,
  MAX_NAMED_DOCUMENTS,
  type Method,
  type Operation,
  type OperationContext,
  typeOf,
  type Value,
  type ValueType,
} from '../../language/index.js'
import { requireFewPairs } from './pairs.js'
import { refusedInput } from './refused-input.js'

const onlyOne = async (reader: DocumentReader, value: Value): Promise<DocumentRecord> => {
  if (value.type === 'document') return value.record ?? reader.one(value)
  const documents = await reader.many(
    value.type === 'string' ? { type: 'json', value: [value.value.replace(/^doc:/, '')] } : value,
  )
  if (documents.length !== 1 || !documents[0])
    throw fail('badRequest', `One document is expected, there are ${documents.length}`)
  return documents[0]
}

const blobsOf = (value: Value): readonly BlobValue[] => {
  if (value.type === 'blobs') return value.blobs
  if (value.type === 'blob') return [value.blob]
  throw fail('badRequest', `Blobs are expected, but there is a value of type ${typeOf(value)}`)
}

const textOf = (value: Value): string => String(jsonOf(value) ?? '')

/** Turns a value into what a method's code takes, as far as `typing` said that it can be. */
const adapt = async (type: ValueType, value: Value, reader: DocumentReader): Promise<unknown> => {
  switch (type) {
    case 'void':
      return undefined
    case 'object':
      return value
    case 'document':
      return onlyOne(reader, value)
    case 'documents': {
      if (value.type !== 'string') return reader.many(value)
      const text = value.value.replace(/^docs:/, '')
      const refs = commaItems(text, { name: 'input', limit: MAX_NAMED_DOCUMENTS })
      return reader.many({ type: 'json', value: refs })
    }
    case 'blob': {
      const [blob] = blobsOf(value)
      if (!blob) throw fail('badRequest', 'One blob is expected, there is none')
      return blob
    }
    case 'bloblist':
      return blobsOf(value)
    case 'date': {
      const date = normalizeDate(textOf(value))
      if (date === undefined) throw fail('badRequest', `'${textOf(value)}' is not an ISO 8601 date`)
      return date
    }
    case 'boolean':
      return textOf(value).toLowerCase() === 'true'
    case 'number':
      return Number(textOf(value))
    case 'string':
      return textOf(value)
  }
}

type DocumentsValue = Extract<Value, { type: 'documents' }>

const concatenated = (lists: readonly DocumentsValue[]): Value => {
  const records = lists.map((list) => list.records)
  return records.every((list) => list !== undefined)
    ? documentsValue(records.flat())
    : { type: 'documents', ids: lists.flatMap((list) => list.ids) }
}

/** The outputs of a mapped method as one list; nulls are dropped. */
export const collectOutputs = (method: Method, outputs: readonly Value[]): Value => {
  const kept = outputs.filter((output) => output.type !== 'void')
  if (method.output === 'blob' || method.output === 'bloblist')
    return { type: 'blobs', blobs: kept.flatMap(blobsOf) }
  if (kept.length > 0 && kept.every((output) => output.type === 'documents')) return concatenated(kept)
  const documents = kept.filter(
    (output): output is Extract<Value, { type: 'document' }> => output.type === 'document',
  )
  if (documents.length === kept.length) {
    const records = documents.map((document) => document.record)
    return records.every((record) => record !== undefined)
      ? documentsValue(records)
      : { type: 'documents', ids: documents.map((document) => document.id) }
  }
  return { type: 'json', value: kept.map(jsonOf) }
}

/** The method that fits an input best. @throws badRequest when none does. */
export const methodFor = ({ id, methods }: Operation, input: Value): Method => {
  const choice = choosePath([{ id, methods }], typeOf(input))
  const method = 'path' in choice ? choice.path.methods[0] : undefined
  if (method) return method
  throw refusedInput({ id, methods }, typeOf(input))
}

/** A call of a method: its operation, what it gets, and the signal that ends it between two elements. */
type MethodCall = {
  operation: Operation
  method: Method
  input: Value
  params: { [name: string]: unknown }
  reader: DocumentReader
  signal: AbortSignal
}

const elementsOf = async ({ operation, method, input, reader }: MethodCall): Promise<readonly unknown[]> => {
  if (method.input === 'blob') return blobsOf(input)
  const documents = await reader.many(input)
  if (!operation.takesEachOnce) return documents
  return [...new Map(documents.map((document) => [document.id, document])).values()]
}

/** Counts the characters of what a call gathers beside its input: each element may be read again. @throws tooLarge. */
const createOutputBudget = (elements: readonly unknown[]): ((output: Value) => void) => {
  const known = new Set(elements)
  const spend = createCharacterBudget(
    (most) => `The outputs of so many elements have more than ${most} characters: take fewer at once`,
  )
  const once = (value: unknown): void => {
    if (value === undefined || known.has(value)) return
    known.add(value)
    spend(value)
  }
  return (output) => {
    if (output.type === 'document') once(output.record)
    else if (output.type === 'documents') output.records?.forEach(once)
    else if (output.type === 'json') once(output.value)
  }
}

/**
 * Runs a method's code on the input, or on each element of a list when the method maps over lists.
 *
 * @throws badRequest as `requireFewPairs`; tooLarge for more characters than a list may have; timeout, or the signal's
 * reason, as soon as it says so.
 */
export const mapInput = async (call: MethodCall, run: (input: unknown) => Promise<Value>): Promise<Value> => {
  const { operation, method, input, params, reader, signal } = call
  if (!isMapped(method, typeOf(input))) {
    requireFewPairs(operation, params, 1)
    return run(await adapt(method.input, input, reader))
  }
  const elements = await elementsOf(call)
  requireFewPairs(operation, params, elements.length)
  const outputs: Value[] = []
  const spend = createOutputBudget(elements)
  for (const element of elements) {
    if (isTurnOver()) await giveTurn()
    throwIfStopped(signal)
    const output = await run(element)
    spend(output)
    outputs.push(output)
  }
  return collectOutputs(method, outputs)
}

/** The one place where a method's declared types are trusted: `adapt` and `resolveParameters` made them true. */
export const runMethod = (
  method: Method,
  call: { context: OperationContext; input: unknown; params: { [name: string]: unknown } },
): Promise<Value> => (method.run as (call: unknown) => Promise<Value>)(call)
