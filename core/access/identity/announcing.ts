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
 * A store that notifies this process of its own writes at once: between a commit and its notification nobody is
 * let in by a cached value.
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
