import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import {
  type OperationContext,
  type Value,
  type Variables,
  VOID,
  withoutRecord,
} from '../../language/index.js'
import { hasUnsaved } from './unsaved.js'

/** The documents of a value that were read. */
const readIn = (value: Value): readonly DocumentRecord[] => {
  if (value.type === 'document') return value.record ? [value.record] : []
  return value.type === 'documents' ? (value.records ?? []) : []
}

/** A value without what was read. Documents with unsaved changes stay as they are: saving them reads them again. */
export const withoutRecords = (value: Value): Value =>
  readIn(value).some(hasUnsaved) ? value : withoutRecord(value)

/** @throws badRequest for a name that no variable can have. */
export const setVariable = (context: OperationContext, name: string, value: Value): void => {
  if (name.trim() === '' || name === '__proto__')
    throw fail('badRequest', `name: '${name}' cannot name a variable`)
  context.variables[name] = withoutRecords(value)
}

/** The value of a variable; void when nothing was ever set. */
export const getVariable = (variables: Variables, name: string): Value =>
  Object.hasOwn(variables, name) ? (variables[name] ?? VOID) : VOID
