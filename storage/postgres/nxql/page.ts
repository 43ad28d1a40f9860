import type { Query } from '../../../core/model/nxql/index.js'
import type { Parameter } from './binder.js'

/** A statement for Postgres: the values of `$1`, `$2`, … beside the text. */
export type Statement = { text: string; parameters: readonly Parameter[] }

/** Without a limit or offset, those of the query hold, if it has any. */
export type NxqlPage = { limit?: number; offset?: number }

/** Behind so many documents, what a page costs is what lies before it. */
export const DEEP_OFFSET = 1_000

/** The page that the query itself asks for. */
export const ownPage = ({ limit, skip }: Query): NxqlPage => ({
  ...(limit !== null && { limit }),
  ...(skip !== null && { offset: skip }),
})

/** A statement with LIMIT and OFFSET behind it. */
export const withPage = (
  text: string,
  parameters: readonly Parameter[],
  { limit, offset }: NxqlPage,
): Statement => {
  const values = [...parameters]
  const clauses = [text]
  for (const [clause, value] of [
    ['LIMIT', limit],
    ['OFFSET', offset],
  ] as const) {
    if (value === undefined) continue
    values.push(value)
    clauses.push(`${clause} $${values.length}::bigint`)
  }
  return { text: clauses.join(' '), parameters: values }
}

/** One row with the column `count`: how many rows a statement without a page has, or `atMost`. */
export const countRows = (
  text: string,
  parameters: readonly Parameter[],
  atMost: number | undefined,
): Statement => {
  const rows = withPage(text, parameters, atMost === undefined ? {} : { limit: atMost })
  return { text: `SELECT count(*) AS count FROM (${rows.text}) AS counted`, parameters: rows.parameters }
}
