import type { Condition, Operand, Predicate, Query, Reference } from './ast.js'
import { blankedParameters } from './bind-parameters.js'
import { CONDITIONS_OF } from './compose.js'
import { parseNxql } from './parser/query.js'
import { conditionsOf, referencesIn } from './parts.js'
import { specialPlaces } from './semantics/locate.js'
import { specialProperties } from './semantics/special.js'

/** Something that a query names; its offset is in the text that somebody wrote. */
export type NameInQuery = {
  kind: 'documentType' | 'queryField' | 'facet' | 'lifecycleState'
  name: string
  offset: number
}

/** Special properties that are a family: of indexes, entries of ACLs, tags. */
const FAMILIES = /^ecm:(?:fulltext|acl\/|tag(?:\/|$)|binarytext$|blobKeys)/

/** The special properties of queries that stand by one name each. */
export const specialNames = (): readonly string[] => [
  ...new Set([...specialPlaces, ...specialProperties, 'ecm:fulltext', 'ecm:tag']),
]

/** Whether queries know a special property, `ecm:…`. */
export const isSpecialName = (name: string): boolean => FAMILIES.test(name) || specialNames().includes(name)

/** What texts compared with a special property name. */
const NAMED_BY: { readonly [property: string]: NameInQuery['kind'] | undefined } = {
  'ecm:primaryType': 'documentType',
  'ecm:mixinType': 'facet',
  'ecm:currentLifeCycleState': 'lifecycleState',
}

const ofReference = ({ name, offset }: Reference): NameInQuery => ({ kind: 'queryField', name, offset })

const namedTexts = ({ name }: Reference, values: readonly Operand[]): NameInQuery[] => {
  const kind = Object.hasOwn(NAMED_BY, name) ? NAMED_BY[name] : undefined
  if (!kind) return []
  return values.flatMap((value) =>
    value.kind === 'string' && value.value !== '' ? [{ kind, name: value.value, offset: value.offset }] : [],
  )
}

const inOperand = (operand: Operand): NameInQuery[] => referencesIn(operand).map(ofReference)

const inCondition = (condition: Condition): NameInQuery[] => {
  switch (condition.kind) {
    case 'comparison': {
      const { left, right, operator } = condition
      const named =
        left.kind === 'reference' && (operator === '=' || operator === '<>') ? namedTexts(left, [right]) : []
      return [...inOperand(left), ...inOperand(right), ...named]
    }
    case 'in':
      return [ofReference(condition.reference), ...namedTexts(condition.reference, condition.values)]
    default:
      return [ofReference(condition.reference)]
  }
}

const inPredicate = (predicate: Predicate): NameInQuery[] => conditionsOf(predicate).flatMap(inCondition)

const inQuery = ({ select, from, where, orderBy }: Query): NameInQuery[] => {
  const aliases =
    select.kind === 'items' ? select.items.flatMap(({ alias }) => (alias === null ? [] : [alias])) : []
  return [
    ...(select.kind === 'items' ? select.items.flatMap(({ operand }) => inOperand(operand)) : []),
    ...(from.kind === 'type' ? from.names : []).flatMap(({ name, offset }) =>
      name.toLowerCase() === 'document' ? [] : [{ kind: 'documentType' as const, name, offset }],
    ),
    ...(where ? inPredicate(where) : []),
    ...orderBy.flatMap(({ reference }) => (aliases.includes(reference.name) ? [] : [ofReference(reference)])),
  ]
}

/**
 * What a query names, in order, whatever values its `?` and `:name` are given; offsets count from 0.
 *
 * @throws badRequest for what is no query.
 */
export const namesInNxql = (text: string): readonly NameInQuery[] => {
  const { text: blanked, offsetOf } = blankedParameters(text)
  return inQuery(parseNxql(blanked))
    .map((found) => ({ ...found, offset: offsetOf(found.offset) }))
    .sort((a, b) => a.offset - b.offset)
}

/** The same of the conditions of a query, without WHERE. @throws badRequest for what is none. */
export const namesInConditions = (text: string): readonly NameInQuery[] => {
  const { where } = parseNxql(`${CONDITIONS_OF}${text}`)
  return where
    ? inPredicate(where)
        .map((found) => ({ ...found, offset: found.offset - CONDITIONS_OF.length }))
        .sort((a, b) => a.offset - b.offset)
    : []
}
