import type { IdentityChanges } from './changes.js'
import type { IdentityStore } from './types.js'

const WRITES = [
  'insertUser',
  'updateUser',
  'setPasswordHash',
  'replacePasswordHash',
  'removeUser',
  'insertGroup',
  'updateGroup',
  'removeGroup',
  'addMember',
  'removeMember',
  'setMembers',
  'setMemberOf',
] as const satisfies readonly (keyof IdentityStore)[]

/**
 * A store whose writes are known to this process at once: between a commit and its announcement nobody is
 * let in by what was remembered.
 */
export const announcing = (store: IdentityStore, changes: IdentityChanges): IdentityStore => {
  const told: Record<string, unknown> = { ...store }
  for (const name of WRITES) {
    const write = store[name] as (...given: unknown[]) => unknown
    told[name] = (...given: unknown[]) => {
      changes.written()
      return write(...given)
    }
  }
  const atomically: IdentityStore['atomically'] = (work) =>
    store.atomically((inner) => work(announcing(inner, changes)))
  return { ...(told as IdentityStore), atomically }
}
