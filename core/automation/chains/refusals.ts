import { type ArchivoltError, type ErrorDetail, fail } from '../../platform/errors/index.js'
import { MAX_PROBLEMS } from './limits.js'

const LAST = Number.MAX_SAFE_INTEGER

/** By place; what has none comes last. */
export const inOrder = (details: readonly ErrorDetail[]): readonly ErrorDetail[] =>
  details.toSorted((a, b) => (a.line ?? LAST) - (b.line ?? LAST) || (a.column ?? LAST) - (b.column ?? LAST))

/** One line for clients that show only the message. */
const summaryOf = (id: string, problems: readonly ErrorDetail[]): string => {
  const [first] = problems
  const place = first?.line === undefined ? '' : ` (line ${first.line}, column ${first.column})`
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : ''
  return `Chain '${id}' is refused: ${first?.message ?? 'not readable'}${place}${more}`
}

/** The refusal of a chain: everything that is wrong with it and, beside that, what it is warned of, by place. */
export const refusalOfChain = (
  id: string,
  problems: readonly ErrorDetail[],
  warnings: readonly ErrorDetail[] = [],
): ArchivoltError => {
  const wrong = inOrder(problems).slice(0, MAX_PROBLEMS)
  const beside = warnings
    .slice(0, MAX_PROBLEMS - wrong.length)
    .map((warning): ErrorDetail => ({ ...warning, severity: 'warning' }))
  return fail('invalid', summaryOf(id, wrong), { details: inOrder([...wrong, ...beside]) })
}
