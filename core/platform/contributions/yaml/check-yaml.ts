import type { z } from 'zod'
import type { ErrorDetail } from '../../errors/index.js'
import type { Finding } from '../extension-point.js'
import { toJsonSchema } from './json-schema.js'
import { parseYamlSource, type Recovered, type YamlSource } from './yaml-source.js'
import { findingsOf } from './zod-findings.js'

export type CheckedYaml<T> =
  | { value: T; problems?: undefined; source: YamlSource }
  | { value?: undefined; problems: ErrorDetail[] }

/**
 * Parses a YAML text and checks it with a zod schema. Every problem carries line, column and field, and a
 * "did you mean" for a misspelt key or value. `source.locate` traces later findings back to the text.
 */
export const checkYaml = <S extends z.ZodType>(text: string, schema: S): CheckedYaml<z.output<S>> => {
  const source = parseYamlSource(text)
  if (source.problems.length > 0)
    return { problems: [...source.problems, ...recoveredFindings(source, schema)] }
  const result = schema.safeParse(source.value, { reportInput: true })
  if (result.success) return { value: result.data, source }
  const findings = findingsOf(result.error, toJsonSchema(schema))
  return { problems: findings.map((finding) => detailOf(finding, source)) }
}

/** What else is wrong in a text with a syntax error, wherever that cannot be its cause. */
const recoveredFindings = ({ recovered }: YamlSource, schema: z.ZodType): ErrorDetail[] => {
  if (!recovered) return []
  const { error } = schema.safeParse(recovered.source.value, { reportInput: true })
  if (!error) return []
  return certainFindings(recovered, findingsOf(error, toJsonSchema(schema)))
}

/** Those of the findings in a recovered text that do not follow from its syntax error. */
export const certainFindings = (
  { source, isDoubtful }: Recovered,
  findings: readonly Finding[],
): ErrorDetail[] =>
  findings.filter(({ path }) => !isDoubtful(path)).map((finding) => detailOf(finding, source))

/** Adds line and column to a finding. */
export const detailOf = ({ path, message, onKey }: Finding, source: YamlSource): ErrorDetail => ({
  ...source.locate(path, onKey),
  ...(path.length > 0 && { field: fieldOf(path) }),
  message,
})

/** `types.File.schemas[2]` */
const fieldOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (field, step) =>
      typeof step === 'number'
        ? `${field}[${step}]`
        : field === ''
          ? String(step)
          : `${field}.${String(step)}`,
    '',
  )
