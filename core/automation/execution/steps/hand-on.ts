import type { Value, Variables } from '../../language/index.js'

/**
 * A value of who acts, for somebody else who goes on with it: documents by their ids alone. Whoever looks at them reads them
 * with rights of their own.
 */
export const handedOn = (value: Value): Value => {
  if (value.type === 'document') return { type: 'document', id: value.id, isOfOthers: true }
  return value.type === 'documents' ? { type: 'documents', ids: value.ids, isOfOthers: true } : value
}

/** The same of all variables, in place. */
export const handOn = (variables: Variables): void => {
  for (const [name, value] of Object.entries(variables)) variables[name] = handedOn(value)
}
