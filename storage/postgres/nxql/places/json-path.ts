/** A place in a `jsonb` value. Steps are sub-fields (text) or positions in a list (number). */
export type JsonPath = { base: string; steps: readonly (string | number)[] }

/** A constant of ours (a property's key from the content model) as an SQL literal. */
export const sqlLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`

const stepSql = (step: string | number): string =>
  typeof step === 'number' ? String(step) : sqlLiteral(step)

export const asJson = ({ base, steps }: JsonPath): string =>
  steps.length === 0 ? base : `(${[base, ...steps.map(stepSql)].join('->')})`

/** The value as text; SQL null for JSON null as well. */
export const asText = ({ base, steps }: JsonPath): string => {
  const last = steps.at(-1)
  if (last === undefined) return `(${base} #>> '{}')`
  return `(${[base, ...steps.slice(0, -1).map(stepSql)].join('->')}->>${stepSql(last)})`
}

/**
 * The elements of a list as rows of `alias(value, rank)`; none when the value is no list. `rank` is their
 * place in it, from 1.
 */
export const elementsOf = (path: JsonPath, alias: string): string => {
  const json = asJson(path)
  const list = `CASE jsonb_typeof(${json}) WHEN 'array' THEN ${json} END`
  return `jsonb_array_elements(${list}) WITH ORDINALITY AS ${alias}(value, rank)`
}
