import type { AuditField, AuditValue, LogEntry } from '../../content/stores/index.js'
import { evaluateFunction, type Reference, refuse, type Value } from '../../model/nxql/index.js'
import { normalizeDate } from '../../model/properties/index.js'

type Column = Exclude<keyof LogEntry, 'extended'>

const KINDS: { readonly [column in Column]: 'text' | 'date' | 'number' } = {
  id: 'number',
  eventId: 'text',
  category: 'text',
  principalName: 'text',
  comment: 'text',
  docLifeCycle: 'text',
  docPath: 'text',
  docType: 'text',
  docUUID: 'text',
  repositoryId: 'text',
  eventDate: 'date',
  logDate: 'date',
}

const isColumn = (name: string): name is Column => Object.hasOwn(KINDS, name)

/**
 * The field that a query names: `eventId`, with an alias `log.eventId`, `extended.modelName` inside of an entry's
 * extended information.
 *
 * @throws badRequest for what entries do not have.
 */
export const fieldOf = ({ name, cast, offset }: Reference): AuditField => {
  const path = name.split(/[./]/)
  if (path[0] === 'log') path.shift()
  const [first = '', ...keys] = path
  if (cast !== null) throw refuse(`DATE(${name}) is not supported of entries`, offset)
  if (first === 'extended' && keys.length > 0) return { extended: keys }
  if (keys.length === 0 && isColumn(first)) return { column: first }
  throw refuse(`${name} is not a field of the audit: ${Object.keys(KINDS).join(', ')}, extended.…`, offset)
}

const kindOf = (field: AuditField) => ('column' in field ? KINDS[field.column] : 'text')

/**
 * A value as its field has it.
 *
 * @throws badRequest for one that the field cannot have.
 */
export const fieldValue = (field: AuditField, value: Value, now: Date): AuditValue => {
  const literal = value.kind === 'function' ? evaluateFunction(value, now) : value
  const written = 'value' in literal ? literal.value : literal.text
  const kind = kindOf(field)
  // A store may refuse such a text instead of finding nothing.
  if (written.includes('\0')) throw refuse('a text has a NUL character', literal.offset)
  if (kind === 'text') return written
  if (kind === 'date') {
    const date = normalizeDate(written.trim())
    if (date === undefined) throw refuse(`'${written}' is not a date`, literal.offset)
    return new Date(date)
  }
  const number = Number(written)
  if (written.trim() === '' || !Number.isSafeInteger(number))
    throw refuse(`'${written}' is not a number of an entry`, literal.offset)
  return number
}
