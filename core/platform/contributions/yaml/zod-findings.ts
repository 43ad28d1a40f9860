import type { z } from 'zod'
import type { Finding } from '../extension-point.js'
import { MAX_FINDINGS } from '../limits.js'
import { didYouMean, suggestion } from './did-you-mean.js'
import { type JsonSchema, keysAt } from './json-schema.js'

type Issue = z.core.$ZodIssue

/** Turns the issues of a failed parse into findings that a person can act on. */
export const findingsOf = (error: z.ZodError, schema: JsonSchema): Finding[] => {
  const issues = error.issues.slice(0, MAX_FINDINGS)
  const misspelt = new Set(issues.flatMap((issue) => meantKeys(issue, schema)))
  return issues
    .filter((issue) => !(isMissing(issue) && misspelt.has(textOf(issue.path))))
    .flatMap((issue) => describe(issue, issue.path, schema))
    .slice(0, MAX_FINDINGS)
}

const textOf = (path: readonly PropertyKey[]): string => JSON.stringify(path)

/** Where keys would stand that unknown ones probably mean: that they are missing is the same mistake. */
const meantKeys = (issue: Issue, schema: JsonSchema): string[] => {
  if (issue.code !== 'unrecognized_keys') return []
  const known = keysAt(schema, issue.path)
  return issue.keys.slice(0, MAX_FINDINGS).flatMap((key) => {
    const meant = didYouMean(key, known)
    return meant === undefined ? [] : [textOf([...issue.path, meant])]
  })
}

/** Keys that are named where none is nearly the unknown one; a map of more has no short list. */
const MAX_SHOWN = 20

const knownKeys = (known: readonly string[]): string =>
  known.length > 0 && known.length <= MAX_SHOWN ? `; known are ${known.join(', ')}` : ''

const describe = (issue: Issue, path: readonly PropertyKey[], schema: JsonSchema): Finding[] => {
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = [...new Set(keysAt(schema, path))]
      return issue.keys.slice(0, MAX_FINDINGS).map((key) => ({
        path: [...path, key],
        onKey: true,
        message: `unknown key "${key}"${suggestion(key, known) || knownKeys(known)}`,
      }))
    }
    case 'invalid_union':
      if (isMissing(issue)) return [{ path, message: `is missing (expected ${expectedBy(issue)})` }]
      return issue.errors.length > 0
        ? describeUnion(issue.errors, path, schema)
        : [{ path, message: 'none of the alternatives fits' }]
    case 'invalid_key':
      return [
        { path, onKey: true, message: `not a valid name: ${issue.issues[0]?.message ?? issue.message}` },
      ]
    case 'invalid_value':
      return [{ path, message: `${lowerFirst(issue.message)}${suggestValue(issue)}` }]
    case 'invalid_type':
      return [
        {
          path,
          message: isMissing(issue) ? `is missing (expected ${issue.expected})` : lowerFirst(issue.message),
        },
      ]
    default:
      return [{ path, message: lowerFirst(issue.message) }]
  }
}

/** Reports the alternative that the author meant: the one of the same kind (text, map, list). */
const describeUnion = (
  branches: readonly Issue[][],
  path: readonly PropertyKey[],
  schema: JsonSchema,
): Finding[] => {
  const meant = branches.find(
    (issues) => !issues.some(({ code, path: at }) => at.length === 0 && code === 'invalid_type'),
  )
  const deeper = branches.find((issues) => issues.some(({ path: at }) => at.length > 0))
  const branch = deeper ?? meant
  if (branch) return branch.flatMap((issue) => describe(issue, [...path, ...issue.path], schema))
  const reasons = branches.flatMap((issues) => issues.map((issue) => lowerFirst(issue.message)))
  return [{ path, message: [...new Set(reasons)].join(', or ') }]
}

const isOfNothing = ({ message, path }: Issue): boolean =>
  path.length === 0 && message.endsWith('received undefined')

/** Whether a key is not there that must be; of one that takes several kinds of values each says so. */
const isMissing = (issue: Issue): boolean => {
  if (issue.path.length === 0) return false
  if (issue.code !== 'invalid_union') return issue.message.endsWith('received undefined')
  return issue.errors.length > 0 && issue.errors.every((branch) => branch.every(isOfNothing))
}

const expectedBy = ({ errors }: z.core.$ZodIssueInvalidUnion): string =>
  [
    ...new Set(errors.flat().flatMap((issue) => (issue.code === 'invalid_type' ? [issue.expected] : []))),
  ].join(' or ')

const suggestValue = (issue: Issue): string =>
  issue.code === 'invalid_value' && typeof issue.input === 'string'
    ? suggestion(
        issue.input,
        issue.values.filter((value) => typeof value === 'string'),
      )
    : ''

const lowerFirst = (message: string): string => {
  const text = message.replace(/^Invalid input: /, '').replace(/^Invalid option: /, '')
  return text.charAt(0).toLowerCase() + text.slice(1)
}
