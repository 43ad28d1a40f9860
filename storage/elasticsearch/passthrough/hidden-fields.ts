import type { JsonObject } from '../../../core/content/stores/index.js'
import { isPart, refuseAt } from './refuse.js'

/**
 * Fields that say something of documents which their reader may not see: how many are in the index, which have the same
 * rights, and ids in lists that hide some.
 */
const ASKED_BY_NOBODY = [
  ...['_seq_no', '_primary_term', '_doc', '_shard_doc', 'ecm:scope'],
  ...['collection:documentIds', 'collectionMember:collectionIds'],
]

const SHOWN_TO_NOBODY: readonly string[] = [...ASKED_BY_NOBODY, 'ecm:ancestorId']

const isHidden = (name: string): boolean => ASKED_BY_NOBODY.includes(name.split('^', 1)[0]!)

/** @throws badRequest where a body, an option or a name of a field in it asks for such a field. */
export const requireOpenFields = (value: unknown, path = 'body'): void => {
  if (typeof value === 'string' && isHidden(value)) throw refuseAt(path, `${value} is for administrators`)
  if (Array.isArray(value)) for (const each of value) requireOpenFields(each, path)
  if (!isPart(value)) return
  for (const [name, inner] of Object.entries(value)) {
    if (isHidden(name)) throw refuseAt(path, `${name} is for administrators`)
    requireOpenFields(inner, `${path}.${name}`)
  }
}

const SHOWING = ['_source', 'fields', 'highlight']

const isOf = (name: string, hidden: string): boolean => name === hidden || name.startsWith(`${hidden}.`)

/** An answer without such fields, and what is below them, in what it shows of entries, however deep. */
export const withoutHiddenFields = <Answer>(answer: Answer): Answer => {
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) walk(each)
    if (!isPart(value)) return
    for (const [name, inner] of Object.entries(value)) {
      if (!SHOWING.includes(name) || !isPart(inner)) {
        walk(inner)
        continue
      }
      for (const shown of Object.keys(inner))
        if (SHOWN_TO_NOBODY.some((hidden) => isOf(shown, hidden))) delete (inner as JsonObject)[shown]
    }
  }
  walk(answer)
  return answer
}
