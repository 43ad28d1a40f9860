import type { Session } from '../../../content/documents/index.js'
import { fail, isArchivoltError } from '../../../platform/errors/index.js'
import type { OperationServices, Value, Variables } from '../../language/index.js'

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

/**
 * A failure of who has been logged in, for a caller who may not see what its message quotes: the log has it.
 *
 * @param what has failed, at the beginning of the message.
 */
export const unquoted = (
  { session, services }: { session: Session; services: OperationServices },
  error: unknown,
  what: string,
): unknown => {
  if (!isArchivoltError(error) || session.principal.isAdministrator) return error
  const { code, message, retryable } = error
  services.log('warn', 'What acts for another user than its caller has failed', { error: message })
  return fail(code, `${what} acts for another user; the log of the server says why it failed`, {
    cause: error,
    retryable,
  })
}
