import type { JsonObject } from '../../../core/content/stores/index.js'
import { closedField, closedFieldIn, HIDING_FIELDS, UNSHOWN_FIELDS } from '../nxql/index.js'
import { isPart, refuseAt } from './refuse.js'

/** Parts of a search that choose what is shown, of which such fields are taken out. */
const CHOOSING = ['_source', 'fields', 'stored_fields', 'docvalue_fields', 'highlight']

/** Parts whose texts are names of fields, which may have wildcards, and that of query strings. */
const OF_FIELDS = ['fields', 'field', 'default_field', 'df']
const OF_TEXT = 'query'

/** Parts that compare a field with values which their caller names, and those that choose what is shown. */
const OF_NAMED_VALUES = ['term', 'terms', '']

const hiddenIn = (text: string, part: string): string | undefined => {
  const closed = part === '' ? HIDING_FIELDS : UNSHOWN_FIELDS
  if (part === OF_TEXT) return closedFieldIn(text, closed)
  return OF_FIELDS.includes(part) || !text.includes('*') ? closedField(text, closed) : undefined
}

const hiddenName = (name: string, part: string): string | undefined =>
  name.includes('*')
    ? undefined
    : closedField(name, OF_NAMED_VALUES.includes(part) ? HIDING_FIELDS : UNSHOWN_FIELDS)

const refuseHidden = (value: unknown, { path, part }: { path: string; part: string }): void => {
  const hidden = typeof value === 'string' ? hiddenIn(value, part) : undefined
  if (hidden !== undefined) throw refuseAt(path, `${hidden} is for administrators`)
  if (Array.isArray(value)) for (const each of value) refuseHidden(each, { path, part })
  if (!isPart(value)) return
  for (const [name, inner] of Object.entries(value)) {
    const named = hiddenName(name, part)
    if (named !== undefined) throw refuseAt(path, `${named} is for administrators`)
    refuseHidden(inner, { path: `${path}.${name}`, part: name })
  }
}

/** @throws badRequest where a body, an option or a name of a field in it asks for such a field. */
export const requireOpenFields = (body: { readonly [name: string]: unknown }): void => {
  // What is shown is chosen with wildcards, too, and has such fields taken out.
  for (const [name, value] of Object.entries(body))
    refuseHidden(value, { path: `body.${name}`, part: CHOOSING.includes(name) ? '' : name })
}

const SHOWING = ['_source', 'fields', 'highlight']

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
        if (closedField(shown, UNSHOWN_FIELDS) !== undefined) delete (inner as JsonObject)[shown]
    }
  }
  walk(answer)
  return answer
}
