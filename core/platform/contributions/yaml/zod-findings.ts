import type { z } from 'zod'
import type { Finding } from '../extension-point.js'
import { MAX_FINDINGS } from '../limits.js'
import { suggestion } from './did-you-mean.js'
import { type JsonSchema, keysAt } from './json-schema.js'

type Issue = z.core.$ZodIssue

/** Turns the issues of a failed parse into findings that a person can act on. */
export const findingsOf = (error: z.ZodError, schema: JsonSchema): Finding[] =>
  error.issues
    .slice(0, MAX_FINDINGS)
    .flatMap((issue) => describe(issue, issue.path, schema))
    .slice(0, MAX_FINDINGS)

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

const isMissing = ({ message, path }: Issue): boolean =>
  path.length > 0 && message.endsWith('received undefined')

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
