import { groupEntities, userEntities } from '../../../identity/entities/index.js'
import type { ReferenceContext, ResolveReference } from './reference.js'

const userOf = async (name: string, { session }: ReferenceContext) => {
  const user = await session.identities.user(name)
  return user && (await userEntities(session, [user]))[0]
}

const groupOf = async (name: string, { session, options }: ReferenceContext) => {
  const group = await session.identities.group(name)
  return group && (await groupEntities(session, [group], options('group').fetch))[0]
}

/** A user, or the group of that name. Older values begin with `user:` or `group:`. */
export const resolveUser: ResolveReference = async (value, _, context) => {
  if (value.includes('\0')) return undefined
  if (value.startsWith('group:')) return groupOf(value.slice('group:'.length), context)
  const name = value.startsWith('user:') ? value.slice('user:'.length) : value
  return (await userOf(name, context)) ?? groupOf(name, context)
}
