import { getDocument } from '../../../content/documents/index.js'
import { type DocumentRecord, normalizeDate, type PropertyValue } from '../../../model/properties/index.js'
import { fail, isArchivoltError } from '../../../platform/errors/index.js'
import type { OperationContext } from '../operations/context.js'
import type { Parameter, ParameterType, ParameterValues } from '../operations/parameters.js'
import { commaList, MAX_LISTED_DOCUMENTS, MAX_LISTED_TEXTS } from './named-lists.js'
import { MAX_PROPERTIES, parsePropertiesText } from './properties-text.js'
import { truthValue, wholeNumber } from './scalars.js'
import { typeOf, type Value } from './values.js'

type Coercion<T extends ParameterType> = (
  value: Value,
  where: { name: string; context: OperationContext },
) => ParameterValues[T] | undefined | Promise<ParameterValues[T] | undefined>

type Plain<T extends ParameterType> = (
  value: Value,
  where: { name: string },
) => ParameterValues[T] | undefined

/** Where a wrong value stands and what it should have been; the caller's mistake. */
const refuse = (name: string, type: string, value: Value) =>
  fail('badRequest', `Parameter ${name}: a value of type ${typeOf(value)} cannot be read as ${type}`)

/** The plain JSON of a value; documents become their ids. */
export const jsonOf = (value: Value): PropertyValue => {
  if (value.type === 'void') return null
  if (value.type === 'document') return value.id
  if (value.type === 'documents') return [...value.ids]
  if (value.type === 'blob') return value.blob
  if (value.type === 'blobs') return [...value.blobs]
  if (value.type === 'documentList') return { key: value.key, count: value.count }
  return value.value
}

const textOf = (value: Value): string | undefined => {
  if (value.type === 'string' || value.type === 'date') return value.value
  if (value.type === 'number' || value.type === 'boolean') return String(value.value)
  if (value.type === 'document') return value.id
  return undefined
}

const text = (value: Value, { name }: { name: string }): string => {
  const given = textOf(value)
  if (given !== undefined) return given
  if (value.type === 'json') return JSON.stringify(value.value)
  throw refuse(name, 'text', value)
}

const integer = (value: Value, { name }: { name: string }): number => {
  const number = wholeNumber(textOf(value) ?? '')
  if (number === undefined) throw refuse(name, 'an integer', value)
  return number
}

/** The path of the input, when it is a document, or names one, and stands in the hierarchy. */
const inputPath = async ({ input, documents }: OperationContext): Promise<string | null | undefined> => {
  const ref = input.type === 'string' ? input.value.replace(/^doc:/, '') : undefined
  if (!ref && input.type !== 'document') return undefined
  const [record] = await documents(ref ? { type: 'json', value: [ref] } : input)
  return record?.path
}

/** A path that starts with `.` is relative to the input document (reference: automation.md §3). */
const absoluteRef = async (ref: string, context: OperationContext): Promise<string> => {
  if (!ref.startsWith('.')) return ref
  const base = await inputPath(context)
  if (!base)
    throw fail('badRequest', `'${ref}' is relative, but the input is not a document in the hierarchy`)
  const parts = base.split('/')
  for (const part of ref.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.length <= 1 ? '/' : parts.join('/')
}

const GONE = 'does not exist, or may not be seen'

/** Says which parameter names a document that is not there. */
const ofParameter = async <Found>(name: string, find: () => Promise<Found>): Promise<Found> => {
  try {
    return await find()
  } catch (error) {
    if (!isArchivoltError(error) || error.message.startsWith('Parameter ')) throw error
    const { code, message, details, retryable } = error
    const isTold = code !== 'notFound' || message.endsWith(GONE)
    const said = isTold ? message : `${message} ${GONE}`
    throw fail(code, `Parameter ${name}: ${said}`, { cause: error, details, retryable })
  }
}

const document = async (
  value: Value,
  { name, context }: { name: string; context: OperationContext },
): Promise<DocumentRecord> => {
  if (value.type === 'document' && value.record) return value.record
  const ref = value.type === 'document' ? value.id : textOf(value)?.trim()
  if (!ref) throw refuse(name, 'a document', value)
  return ofParameter(name, async () =>
    getDocument(context.session, await absoluteRef(ref.replace(/^doc:/, ''), context)),
  )
}

/** Ids and paths as a text of them, or a list of texts, names them; undefined for what names none. */
const refsIn = (value: Value, name: string): readonly string[] | undefined => {
  const list = value.type === 'json' && Array.isArray(value.value) ? value.value : undefined
  if (list?.every((item) => typeof item === 'string')) return list
  if (value.type !== 'string') return undefined
  const text = value.value.replace(/^docs:/, '')
  return commaList(text, { name: `Parameter ${name}`, limit: MAX_LISTED_DOCUMENTS })
}

const documents: Coercion<'documents'> = async (value, { name, context }) => {
  const refs = refsIn(value, name)
  if (!refs) return ofParameter(name, () => context.documents(value))
  if (refs.length > MAX_LISTED_DOCUMENTS)
    throw fail(
      'tooLarge',
      `Parameter ${name}: ${refs.length} documents are named, and ${MAX_LISTED_DOCUMENTS} are possible`,
    )
  // Each once, and one after the other: neither a long list nor one that repeats itself floods the database.
  const found = new Map<string, DocumentRecord>()
  for (const ref of new Set(refs))
    found.set(ref, await document({ type: 'string', value: ref }, { name, context }))
  return refs.flatMap((ref) => found.get(ref) ?? [])
}

const textItem = (item: PropertyValue, name: string): string => {
  if (item === null || typeof item === 'object')
    throw fail('badRequest', `Parameter ${name}: each item must be a text, a number or a boolean`)
  return String(item)
}

const map: Plain<'map'> = (value, { name }) => {
  const json = value.type === 'json' ? value.value : undefined
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw refuse(name, 'a map', value)
  return json
}

type OfRepository = 'document' | 'documents'

/** Coercions of what says itself what it is. */
const PLAIN: { [T in Exclude<ParameterType, OfRepository>]: Plain<T> } = {
  string: text,
  resource: text,
  boolean: (value, { name }) => {
    const text = textOf(value)
    if (text === undefined) throw refuse(name, 'a boolean', value)
    return truthValue(text) ?? false
  },
  integer,
  long: integer,
  float: (value, { name }) => {
    if (value.type === 'number') return value.value
    throw refuse(name, 'a number', value)
  },
  date: (value, { name }) => {
    const text = textOf(value)
    if (text === undefined) throw refuse(name, 'a date', value)
    if (text.trim() === '') return undefined
    const date = normalizeDate(text.trim())
    // Without the text: it may be secret, and messages are not.
    if (date === undefined) throw fail('badRequest', `Parameter ${name}: is not an ISO 8601 date`)
    return date
  },
  blob: (value, { name }) => {
    if (value.type === 'blob') return value.blob
    if (value.type === 'blobs' && value.blobs[0]) return value.blobs[0]
    throw refuse(name, 'a blob', value)
  },
  stringlist: (value, { name }) => {
    if (value.type === 'json' && Array.isArray(value.value)) {
      if (value.value.length > MAX_LISTED_TEXTS)
        throw fail('tooLarge', `Parameter ${name}: has more than ${MAX_LISTED_TEXTS} entries`)
      return value.value.map((item) => textItem(item, name))
    }
    if (value.type === 'documents') return value.ids
    const text = textOf(value)
    if (text === undefined) throw refuse(name, 'a list of texts', value)
    return commaList(text, { name: `Parameter ${name}`, limit: MAX_LISTED_TEXTS })
  },
  properties: (value, { name }) => {
    if (value.type === 'string') return parsePropertiesText(value.value, name)
    const values = map(value, { name })
    if (values && Object.keys(values).length > MAX_PROPERTIES)
      throw fail('badRequest', `Parameter ${name}: has more than ${MAX_PROPERTIES} properties`)
    return values
  },
  serializable: (value) => jsonOf(value),
  object: (value) => value,
  map,
  list: (value, { name }) => {
    if (value.type === 'json' && Array.isArray(value.value)) return value.value
    if (value.type === 'documents') return [...value.ids]
    throw refuse(name, 'a list', value)
  },
}

/** One coercion for each parameter type: reference: automation.md §3, "Coercion by parameter type". */
const COERCIONS: { [T in ParameterType]: Coercion<T> } = { ...PLAIN, document, documents }

/**
 * Reads a value as a parameter's type. Null, and an empty text for a date, is an absent value. Gives a promise for
 * what is read of the repository.
 *
 * @throws badRequest, tooLarge naming the parameter.
 */
export const coerceParameter = (
  parameter: Parameter,
  value: Value,
  where: { name: string; context: OperationContext },
): unknown => {
  if (value.type === 'void' && parameter.type !== 'object') return undefined
  const coerced = COERCIONS[parameter.type](value, where)
  const { maxLength = Number.POSITIVE_INFINITY } = parameter
  if (typeof coerced === 'string' && coerced.length > maxLength)
    throw fail('badRequest', `Parameter ${where.name}: has more than ${maxLength} characters`)
  return coerced
}

const isPlain = (type: ParameterType): type is keyof typeof PLAIN => Object.hasOwn(PLAIN, type)

/** Looks at a value as far as the repository need not be asked. @throws badRequest as `coerceParameter` does. */
export const checkLiteral = ({ type }: Parameter, value: Value, name: string): void => {
  if (isPlain(type) && value.type !== 'void') PLAIN[type](value, { name })
}
