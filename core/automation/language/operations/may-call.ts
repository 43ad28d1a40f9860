import type { Session } from '../../../content/documents/index.js'
import { filterNameOf, type OperationFilter, operationFiltersPoint } from './filters-point.js'
import { type Callable, notCallable } from './registry.js'

const RESERVED = { disabled: false, secure: false, administrator: true, groups: [] }

const filterOf = ({ contributions }: Pick<Session, 'contributions'>, callable: Callable) => {
  const filter = contributions.get(operationFiltersPoint).get(filterNameOf(callable))
  if (filter || callable.kind === 'chain') return filter
  return callable.operation.isAdministrative ? RESERVED : undefined
}

const isMember = (
  { principal }: Pick<Session, 'principal'>,
  { administrator, groups }: OperationFilter,
): boolean =>
  (!administrator && groups.length === 0) ||
  (administrator && principal.isAdministrator) ||
  groups.some((group) => principal.groups.includes(group))

/**
 * Whether a session's principal may itself call an operation or a chain, by the filter that is deployed for it
 * or, without one, by what the operation says.
 *
 * @param isSecure whether the call came over HTTPS.
 */
export const mayCall = (
  session: Pick<Session, 'contributions' | 'principal'>,
  callable: Callable,
  { isSecure }: { isSecure: boolean },
): boolean => {
  const filter = filterOf(session, callable)
  return !filter || (!filter.disabled && (isSecure || !filter.secure) && isMember(session, filter))
}

/**
 * @param called what somebody asks for by this id, undefined when nothing has it.
 * @param isSecure false when nobody knows how the call came: what is bound to HTTPS must be called itself.
 * @throws notFound for what does not exist, or may not be called by the session's principal.
 */
export const requireMayCall = (
  session: Pick<Session, 'contributions' | 'principal'>,
  { id, callable }: { id: string; callable: Callable | undefined },
  { isSecure }: { isSecure: boolean } = { isSecure: false },
): Callable => {
  if (!callable || !mayCall(session, callable, { isSecure })) throw notCallable(id)
  return callable
}
