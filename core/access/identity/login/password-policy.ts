import { fail } from '../../../platform/errors/index.js'
import { isFound } from '../../../platform/patterns/index.js'
import type { HashCost } from './password.js'

/** What the settings of a deployment demand of new passwords. */
export type PasswordPolicy = {
  /** Characters at least. */
  minLength: number
  /** Whether passwords that are tried first are refused: common ones, rows of keys, repetitions, the user's name. */
  refusesCommon: boolean
  /** What the hash of a password costs. */
  cost: HashCost
}

/** Characters: a longer one would not fit into the header that carries it. */
const MAX_LENGTH = 1_000

/** Passwords that fall within a million guesses are common. */
const COMMON_SCORE = 2

/** What follows does not make a password common. */
const MAX_RATED = 32

/** The words and their index take some megabytes, which a process needs at its first new password alone. */
const createRating = async () => {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}

let rating: ReturnType<typeof createRating> | undefined

const isCommon = async (password: string, username: string): Promise<boolean> => {
  rating ??= createRating()
  return (await rating).check(password.slice(0, MAX_RATED), [username]).score < COMMON_SCORE
}

const fitsPattern = (pattern: string, password: string): boolean => {
  try {
    return isFound(pattern, password)
  } catch (cause) {
    throw fail('badRequest', 'password: takes too long to compare with the rules for passwords', { cause })
  }
}

/**
 * A new password that fits the settings and rules of the deployment.
 *
 * @param rules.pattern which it must match somewhere.
 * @throws badRequest when it does not.
 */
export const requireGoodPassword = async (
  password: unknown,
  { policy, pattern, username }: { policy: PasswordPolicy; pattern?: string | undefined; username: string },
): Promise<string> => {
  if (typeof password !== 'string' || password.trim() === '')
    throw fail('badRequest', 'password: must not be empty or blank')
  if (password.includes('\0')) throw fail('badRequest', 'password: must not contain NUL characters')
  if ([...password].length < policy.minLength)
    throw fail('badRequest', `password: must have at least ${policy.minLength} characters`)
  if (password.length > MAX_LENGTH)
    throw fail('badRequest', `password: must have at most ${MAX_LENGTH} characters`)
  if (pattern !== undefined && !fitsPattern(pattern, password))
    throw fail('badRequest', 'password: does not fit the rules for passwords')
  if (policy.refusesCommon && (await isCommon(password, username)))
    throw fail('badRequest', 'password: is too common; choose one that is not guessed easily')
  return password
}
