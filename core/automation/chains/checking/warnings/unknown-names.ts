import { namesInConditions, namesInNxql } from '../../../../model/nxql/index.js'
import type { PropertyValue } from '../../../../model/properties/index.js'
import { suggestion } from '../../../../platform/contributions/index.js'
import { isArchivoltError } from '../../../../platform/errors/index.js'
import { isExpression, type NameKind, type Parameter } from '../../../language/index.js'
import { type KnownNames, unfitValue, unknownName } from '../../../lint/index.js'
import { MAX_PROBLEMS } from '../../limits.js'
import { isMap, type Values, valuesOfLines } from '../../reading/literals.js'
import { type CallSignature, parameterNamed } from '../calls/call-signature.js'

/** Something that is said of a value; `key` of what stands under one of its keys, `offset` of what stands in its text. */
export type UnknownName = {
  name: string
  key?: string
  offset?: number
  part: 'name' | 'value'
  message: string
}

/** Texts whose value is known before a step runs; what holds a template is checked by itself. */
const isKnownText = (value: PropertyValue | undefined): value is string =>
  typeof value === 'string' && value !== '' && !isExpression(value) && !value.includes('@{')

const namedTexts = (value: PropertyValue, isList: boolean): readonly string[] => {
  if (Array.isArray(value)) return value.filter(isKnownText)
  if (!isKnownText(value)) return []
  return isList ? value.split(',').map((text) => text.trim()) : [value]
}

/** A map, or the lines that stand for one; undefined when it is neither or not known yet. */
const mapOf = (value: PropertyValue): { map: Values; isText: boolean } | undefined => {
  if (isMap(value)) return { map: value, isText: false }
  // What is no such lines is reported already.
  const map = isKnownText(value) ? valuesOfLines(value) : undefined
  return map && { map, isText: true }
}

type Call = { given: Values; signature: CallSignature; names: KnownNames }

/** The text that a call gives to one of its parameters, by whichever name. */
const textGiven = ({ given, signature }: Call, name: string | undefined): string | undefined => {
  const known = name === undefined ? undefined : parameterNamed(signature, name)
  const value = known?.names.map((candidate) => given[candidate]).find((found) => found !== undefined)
  return isKnownText(value) ? value.trim() : undefined
}

const unfitForField = (xpath: string, value: PropertyValue, { model }: KnownNames): string | undefined => {
  const field = model.resolve(xpath.trim())?.field
  const isKnown = typeof value !== 'string' || isKnownText(value)
  return field && isKnown ? unfitValue(xpath, field, value) : undefined
}

/** A property that the documents of a type do not have. */
const unknownForType = (
  xpath: string,
  type: string | undefined,
  { model }: KnownNames,
): string | undefined => {
  const schema = model.resolve(xpath.trim())?.schema.name
  if (!schema || type === undefined || !model.types.has(type)) return undefined
  return model.schemasOf(type, []).some(({ name }) => name === schema)
    ? undefined
    : `documents of type ${type} have no property "${xpath}"; it is of the schema ${schema}`
}

/** As much as is reported at all: the rest need not be compared with all that might be meant. */
const firstOf = <Item, Found>(items: Iterable<Item>, work: (item: Item) => readonly Found[]): Found[] => {
  const found: Found[] = []
  for (const item of items) {
    if (found.length >= MAX_PROBLEMS) break
    found.push(...work(item))
  }
  return found
}

const unknownProperties = (
  name: string,
  value: PropertyValue,
  call: Call & { parameter: Parameter },
): UnknownName[] => {
  const found = mapOf(value)
  if (!found) return []
  const type = textGiven(call, call.parameter.ofType)
  return firstOf(Object.entries(found.map), ([key, held]): UnknownName[] => {
    const at = { name, ...(!found.isText && { key }) }
    const ofName = unknownName('property', key, call.names) ?? unknownForType(key, type, call.names)
    if (ofName) return [{ ...at, part: found.isText ? 'value' : 'name', message: ofName }]
    const ofValue = unfitForField(key, held, call.names)
    return ofValue ? [{ ...at, part: 'value', message: ofValue }] : []
  })
}

const unknownNamesIn = (
  value: PropertyValue,
  kind: NameKind,
  { isList, names }: { isList: boolean; names: KnownNames },
) =>
  firstOf(namedTexts(value, isList), (text) => {
    const message = unknownName(kind, text, names)
    return message ? [message] : []
  })

const unknownInQuery = (text: string, notation: Parameter['notation'], names: KnownNames) => {
  try {
    const found =
      notation === 'nxql' ? namesInNxql(text) : notation === 'conditions' ? namesInConditions(text) : []
    return firstOf(found, ({ kind, name, offset }) => {
      const message = unknownName(kind, name, names)
      return message ? [{ offset, message }] : []
    })
  } catch (error) {
    // Reported already: it is no query.
    if (!isArchivoltError(error)) throw error
    return []
  }
}

const isOneOf = (value: string, values: readonly string[]): boolean =>
  values.some((known) => known.toLowerCase() === value.toLowerCase())

/** Values that a parameter lists are hints: one that is none of them may still be taken. */
const unknownChoices = (value: PropertyValue, { values = [], type }: Parameter): string[] => {
  if (values.length === 0) return []
  return firstOf(namedTexts(value, type === 'stringlist'), (text) =>
    isOneOf(text.trim(), values)
      ? []
      : [`"${text}" is none of ${values.join(', ')}${suggestion(text, values)}`],
  )
}

/**
 * What values for an operation name that nothing configured is called, or give to properties that cannot hold it. All of
 * it may still be deployed, so that it is for warnings.
 */
export const unknownNamesOfCall = (call: Call): UnknownName[] =>
  Object.entries(call.given).flatMap(([name, value]): UnknownName[] => {
    const parameter = parameterNamed(call.signature, name)?.declared
    if (!parameter) return []
    const { names: kind, ofProperty, notation, type } = parameter
    if (kind && type === 'properties') return unknownProperties(name, value, { ...call, parameter })
    const xpath = textGiven(call, ofProperty)
    const ofValue = xpath === undefined ? undefined : unfitForField(xpath, value, call.names)
    const messages = [
      ...(kind ? unknownNamesIn(value, kind, { isList: type === 'stringlist', names: call.names }) : []),
      ...unknownChoices(value, parameter),
      ...(ofValue ? [ofValue] : []),
    ]
    const inQuery = notation && isKnownText(value) ? unknownInQuery(value, notation, call.names) : []
    return [
      ...messages.map((message) => ({ name, part: 'value' as const, message })),
      ...inQuery.map((found) => ({ name, part: 'value' as const, ...found })),
    ]
  })
