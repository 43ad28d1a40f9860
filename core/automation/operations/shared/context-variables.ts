import { fail } from '../../../platform/errors/index.js'
import { type OperationContext, type Value, type Variables, VOID } from '../../language/index.js'
import { hasUnsaved } from './unsaved.js'

/**
 * A value that only says which documents it means, so that whoever looks at them later sees what is stored
 * then. Documents with unsaved changes stay as they are: saving them reads them again.
 */
export const withoutRecords = (value: Value): Value => {
  if (value.type === 'document') {
    return value.record && hasUnsaved(value.record) ? value : { type: 'document', id: value.id }
  }
  if (value.type !== 'documents' || value.records?.some(hasUnsaved)) return value
  const { records: _read, ...rest } = value
  return rest
}

/** @throws badRequest for a name that no variable can have. */
export const setVariable = (context: OperationContext, name: string, value: Value): void => {
  if (name.trim() === '' || name === '__proto__')
    throw fail('badRequest', `name: '${name}' cannot name a variable`)
  context.variables[name] = withoutRecords(value)
}

/** The value of a variable; void when nothing was ever set. */
export const getVariable = (variables: Variables, name: string): Value =>
  Object.hasOwn(variables, name) ? (variables[name] ?? VOID) : VOID
