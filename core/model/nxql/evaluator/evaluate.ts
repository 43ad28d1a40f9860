import type { ContentModel } from '../../content-model/index.js'
import type { Query } from '../index.js'
import { holds, referencesOf } from './conditions.js'
import type { EvaluatedDocument } from './document.js'
import { compareValues } from './scalars.js'
import { type Choice, elementsFor, type Json, locate, type Value, valuesOf, variablesOf } from './values.js'

/** @property principal whose rights are asked; nothing is asked of an administrator's. */
export type Evaluation = {
  documents: readonly EvaluatedDocument[]
  model: ContentModel
  principal: { isAdministrator: boolean; identities: readonly string[] }
  now: Date
}

const isFrom = ({ names }: Query['from'], { type }: EvaluatedDocument, model: ContentModel): boolean => {
  const isHidden = type === 'Root' || model.subtypes('Relation').includes(type)
  return names.some(({ name }) =>
    name.toLowerCase() === 'document' ? !isHidden : model.subtypes(name).includes(type),
  )
}

/** Every way of choosing an element for each numbered wildcard of the query. */
const choicesOf = (query: Query, document: EvaluatedDocument, model: ContentModel): Choice[] => {
  let choices: Choice[] = [new Map()]
  const known = new Set<string>()
  for (const reference of query.where ? referencesOf(query.where) : []) {
    const located = locate(reference.name, document, model)
    for (const { xpath, steps } of variablesOf(located)) {
      if (known.has(xpath)) continue
      known.add(xpath)
      choices = choices.flatMap((choice) =>
        elementsFor(located, steps, choice).map(
          (element): Choice => new Map<string, Json>([...choice, [xpath, element]]),
        ),
      )
    }
  }
  return choices
}

/**
 * Answers a query by looking at each document: what the language means, in plain words, without the code of any
 * backend. Contract tests compare what a backend finds with what this finds.
 *
 * @param query that a backend takes: mistakes of type are not reported here.
 * @returns ids in order; documents that nothing distinguishes, by id. How well a search fits is not evaluated: without
 *   an ORDER BY its matches are in order of their ids.
 */
export const evaluate = (query: Query, { documents, model, principal, now }: Evaluation): string[] => {
  const byId = new Map(documents.map((document) => [document.id, document]))
  const found = documents.filter((document) => {
    if (!principal.isAdministrator && !document.mayBrowse(principal.identities)) return false
    if (!isFrom(query.from, document, model)) return false
    const { where } = query
    if (where === null) return true
    return choicesOf(query, document, model).some((choice) =>
      holds(where, false, { document, model, choice, now, byId }),
    )
  })
  const keyOf = (document: EvaluatedDocument, position: number): Value => {
    const reference = query.orderBy[position]!.reference
    if (reference.name === 'ecm:path') return document.path
    return valuesOf(reference, { document, model, choice: new Map() }).ways[0]?.[0] ?? null
  }
  const compare = (a: EvaluatedDocument, b: EvaluatedDocument): number => {
    for (const [position, { descending }] of query.orderBy.entries()) {
      const [x, y] = [keyOf(a, position), keyOf(b, position)]
      // Nulls are the largest.
      const order = x === null || y === null ? Number(x === null) - Number(y === null) : compareValues(x, y)
      if (order !== 0) return descending ? -order : order
    }
    return compareValues(a.id, b.id)
  }
  return found.toSorted(compare).map(({ id }) => id)
}
