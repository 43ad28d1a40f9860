import { type ArchivoltError, fail } from '../../../core/platform/errors/index.js'
import { MAX_NEAR } from '../engine/index.js'

/** A part of a request, whatever it holds. */
export type Part = { readonly [key: string]: unknown }

/** @param path where it stands in the body: `query.bool.must`. */
export const refuseAt = (path: string, message: string): ArchivoltError =>
  fail('badRequest', `${path}: ${message}`)

export const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws badRequest for anything but an object. */
export const partAt = (value: unknown, path: string): Part => {
  if (isPart(value)) return value
  throw refuseAt(path, 'must be an object')
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

const isFlatList = (value: unknown): boolean => Array.isArray(value) && value.every(isScalar)

/** Longest name of an aggregation or a bucket, characters: an answer may have it thousands of times. */
export const MAX_NAME = 100

/** Longest text of a condition, characters. */
const MAX_TEXT = 10_000

/**
 * Longest text of some options. The engine reads patterns by recursion: one of thousands of brackets ends its process.
 * Others stand in the answer once for each bucket or entry.
 */
const MAX_OPTION_TEXT: { readonly [name: string]: number } = {
  include: 1_000,
  includes: 1_000,
  exclude: 1_000,
  excludes: 1_000,
  format: 100,
  key: MAX_NAME,
  missing: MAX_NAME,
  other_bucket_key: MAX_NAME,
  pre_tags: MAX_NAME,
  post_tags: MAX_NAME,
}

/** Most values of a list: what the engine takes of one list of terms. */
const MAX_VALUES = 65_536

/** Shorter lists: figures of every bucket, and names of fields. */
const MAX_OF_LIST: { readonly [name: string]: number } = { percents: 100, values: 100, fields: 1_000 }

/** Options by which one condition may cost what thousands do. */
const MAX_OPTION: { readonly [name: string]: number } = {
  max_expansions: 1_000,
  fuzzy_max_expansions: 1_000,
  max_determinized_states: 10_000,
  size: 10_000,
  shard_size: 20_000,
}

const requireModest = (name: string, value: unknown, path: string): void => {
  const limit = Object.hasOwn(MAX_OPTION, name) ? MAX_OPTION[name] : undefined
  if (limit !== undefined && Number(value) > limit) throw refuseAt(path, `must be at most ${limit}`)
  const longest = Object.hasOwn(MAX_OPTION_TEXT, name) ? MAX_OPTION_TEXT[name]! : MAX_TEXT
  for (const text of Array.isArray(value) ? value : [value])
    if (typeof text === 'string' && text.length > longest)
      throw refuseAt(path, `must have at most ${longest} characters`)
  const most = Object.hasOwn(MAX_OF_LIST, name) ? MAX_OF_LIST[name]! : MAX_VALUES
  if (Array.isArray(value) && value.length > most) throw refuseAt(path, `must have at most ${most} values`)
}

const EXPANDING = ['fuzziness', 'case_insensitive']

/** @throws badRequest for a text with more characters, wherever in a condition it stands. */
export const requireShort = (value: unknown, path: string, longest: number): void => {
  if (typeof value === 'string' && value.length > longest)
    throw refuseAt(path, `must have at most ${longest} characters`)
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) requireShort(inner, `${path}.${name}`, longest)
}

/**
 * Plain values by name, and lists of them: nothing in which a script, another index or another search could stand.
 *
 * @param depth how many levels of further objects there may be.
 * @throws badRequest for anything else.
 */
export const requirePlain = (value: unknown, path: string, depth = 0): void => {
  const part = partAt(value, path)
  if (EXPANDING.some((name) => Object.hasOwn(part, name))) requireShort(part, path, MAX_NEAR)
  for (const [name, option] of Object.entries(part)) {
    const at = `${path}.${name}`
    if (isScriptName(name)) throw refuseAt(at, 'scripts are not allowed')
    if (isScalar(option) || isFlatList(option)) requireModest(name, option, at)
    else if (depth === 0) throw refuseAt(at, 'must be a plain value')
    else for (const each of [option].flat()) requirePlain(each, at, depth - 1)
  }
}

/** @throws badRequest for an option that is not among these: what the engine learns tomorrow is refused, too. */
export const requireKnown = (body: Part, options: readonly string[], path: string): void => {
  for (const name of Object.keys(body))
    if (!options.includes(name)) throw refuseAt(`${path}.${name}`, 'is not allowed here')
}

const isScriptName = (name: string): boolean => /^(?:script|.+_script|script_.+)$/.test(name)
