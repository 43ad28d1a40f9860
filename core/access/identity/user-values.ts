import { type Properties, readProperty } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { hashPassword, isHashed } from './login/password.js'
import { nameList } from './names.js'
import type { IdentitySession } from './rights.js'
import type { UserChange } from './types.js'

/** A user as a caller sends it: values by the names of the schema `user`. */
export type UserInput = { readonly [property: string]: unknown }

const COLUMNS = ['firstName', 'lastName', 'email', 'company'] as const
const SPECIAL = new Set<string>([...COLUMNS, 'username', 'password', 'groups'])

/**
 * The values to store for what a caller sends: null clears, fields that the schema does not have are ignored, and
 * an empty password leaves the present one.
 *
 * @throws badRequest naming the first property that does not fit.
 */
export const readUser = async (
  session: IdentitySession,
  input: UserInput,
): Promise<{ change: UserChange; groups: string[] | undefined }> => {
  const change: UserChange = {}
  for (const name of COLUMNS) {
    if (input[name] !== undefined) change[name] = readText(name, input[name])
  }
  const passwordHash = await readPassword(session, input.password)
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

const readPassword = async (session: IdentitySession, password: unknown): Promise<string | undefined> => {
  if (password === undefined || password === null || password === '') return undefined
  if (typeof password !== 'string') throw fail('badRequest', 'password: must be a text')
  // An import brings the hashes of another system (reference: security.md §8).
  if (isHashed(password)) return password
  return hashPassword(requireGoodPassword(session, password))
}

/**
 * A new password that fits the rules of the deployment.
 *
 * @throws badRequest when it does not.
 */
export const requireGoodPassword = (
  { identities: { rules } }: IdentitySession,
  password: unknown,
): string => {
  if (typeof password !== 'string' || password === '') throw fail('badRequest', 'password: must not be empty')
  if (rules.passwordPattern !== undefined && !new RegExp(rules.passwordPattern, 'u').test(password))
    throw fail('badRequest', 'password: does not fit the rules for passwords')
  return password
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
