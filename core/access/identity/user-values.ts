import { type Properties, readProperty } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { hashPassword, isHashed } from './login/password.js'
import { requireGoodPassword } from './login/password-policy.js'
import { nameList } from './names.js'
import type { IdentitySession } from './rights.js'
import type { Identities, UserChange } from './types.js'

/** A user as a caller sends it: values by the names of the schema `user`. */
export type UserInput = { readonly [property: string]: unknown }

const COLUMNS = ['firstName', 'lastName', 'email', 'company'] as const
const SPECIAL = new Set<string>([...COLUMNS, 'username', 'password', 'groups'])

/**
 * The values to store for what a caller sends: null clears, fields that the schema does not have are ignored, and
 * an empty password leaves the present one.
 *
 * @throws badRequest naming the first property that does not fit, forbidden for a hash that is not an administrator's.
 */
export const readUser = async (
  session: IdentitySession,
  input: UserInput,
  username: string,
): Promise<{ change: UserChange; groups: string[] | undefined }> => {
  const change: UserChange = {}
  for (const name of COLUMNS) {
    if (input[name] !== undefined) change[name] = readText(name, input[name])
  }
  const passwordHash = await readPassword(session, input.password, username)
  if (passwordHash !== undefined) change.passwordHash = passwordHash
  const properties = await readMore(session, input)
  if (Object.keys(properties).length > 0) change.properties = properties
  return { change, groups: nameList('groups', input.groups) }
}

export const readText = (name: string, value: unknown): string | null => {
  if (value === null) return null
  if (typeof value !== 'string' || value.includes('\0')) throw fail('badRequest', `${name}: must be a text`)
  return value
}

const readPassword = async (
  { identities, principal }: IdentitySession,
  password: unknown,
  username: string,
): Promise<string | undefined> => {
  if (password === undefined || password === null || password === '') return undefined
  if (typeof password !== 'string') throw fail('badRequest', 'password: must be a text')
  if (!isHashed(password)) return hashNewPassword(identities, password, username)
  // An import brings the hashes of another system (security.md §8); a hash passes by every rule for passwords.
  if (!principal.isAdministrator)
    throw fail('forbidden', 'password: only administrators may set a hash instead of a password')
  return password
}

/**
 * The hash of a new password that fits the rules of the deployment.
 *
 * @throws badRequest when it does not.
 */
export const hashNewPassword = async (
  { rules, passwords }: Pick<Identities, 'rules' | 'passwords'>,
  password: unknown,
  username: string,
): Promise<string> => {
  const good = await requireGoodPassword(password, {
    policy: passwords,
    pattern: rules.passwordPattern,
    username,
  })
  return hashPassword(good, passwords.cost)
}

/** Values of the fields that a deployment has added to the schema. */
const readMore = async ({ model }: IdentitySession, input: UserInput): Promise<Properties> => {
  const properties: Properties = {}
  for (const field of model.schemas.get('user')?.fields.values() ?? []) {
    if (SPECIAL.has(field.name) || input[field.name] === undefined) continue
    properties[field.name] = await readProperty(input[field.name], { field, xpath: field.name })
  }
  return properties
}
