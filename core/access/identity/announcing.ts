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
  const announced: Record<string, unknown> = { ...store }
  for (const name of WRITES) {
    const write = store[name] as (...args: unknown[]) => unknown
    announced[name] = (...args: unknown[]) => {
      changes.written()
      return write(...args)
    }
  }
  const atomically: IdentityStore['atomically'] = (work) =>
    store.atomically((inner) => work(announcing(inner, changes)))
  return { ...(announced as IdentityStore), atomically }
}
