import { EVERYONE, type Principal } from '../../access/security/index.js'
import { fail } from '../../platform/errors/index.js'
import type { Allowed, Directory } from './types.js'

/** Members may write a directory that declares no permissions (reference: security.md §8). */
const POWERUSERS = 'powerusers'

const isAmong = (principal: Principal, { groups, users }: Allowed): boolean =>
  users.includes(principal.name) ||
  groups.some((group) => group === EVERYONE || principal.groups.includes(group)) ||
  users.includes(EVERYONE)

/** Whether somebody may read a directory's entries; for others the directory is empty (reference: security.md §8). */
export const mayRead = (principal: Principal, { permissions }: Directory): boolean => {
  if (principal.isAdministrator || permissions === null) return true
  const { Read, Write } = permissions
  return Boolean(Read && isAmong(principal, Read)) || Boolean(Write && isAmong(principal, Write))
}

/** Whether somebody may change a directory's entries. `readOnly` binds administrators too. */
export const mayWrite = (principal: Principal, { isReadOnly, permissions }: Directory): boolean => {
  if (isReadOnly) return false
  if (principal.isAdministrator) return true
  if (permissions === null) return principal.groups.includes(POWERUSERS)
  return Boolean(permissions.Write && isAmong(principal, permissions.Write))
}

/** @throws forbidden naming the directory. */
export const requireWrite = ({ principal }: { principal: Principal }, directory: Directory): void => {
  if (mayWrite(principal, directory)) return
  throw fail(
    'forbidden',
    directory.isReadOnly
      ? `Directory '${directory.name}' is read-only`
      : `Privilege 'Write' on directory '${directory.name}' is not granted to '${principal.name}'`,
  )
}
