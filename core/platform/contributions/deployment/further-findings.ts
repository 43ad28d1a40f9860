import type { z } from 'zod'
import type { ErrorDetail } from '../../errors/index.js'
import type { ExtensionPoint, Finding } from '../extension-point.js'

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a schema takes of a content: all but the keys at which something is wrong. */
const readablePart = (schema: z.ZodType, content: unknown): unknown => {
  const { error, data } = schema.safeParse(content)
  if (!error) return data
  if (!isMap(content)) return undefined
  const wrong = new Set(
    error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : issue.path.slice(0, 1),
    ),
  )
  return schema.safeParse(Object.fromEntries(Object.entries(content).filter(([key]) => !wrong.has(key)))).data
}

/**
 * What is wrong with a refused content besides, so that its author learns of everything at once: the rules that are
 * asked only when what comes before them holds, for the keys of which nothing is said yet.
 *
 * @param content without the keys for merging.
 * @param findMore rules of others than the point, which are given what of the content can be read.
 */
export const furtherFindings = async (
  {
    point,
    name,
    content,
    all,
  }: { point: ExtensionPoint; name: string; content: unknown; all: ReadonlyMap<string, unknown> },
  {
    details,
    findMore,
  }: { details: readonly ErrorDetail[]; findMore: (content: never) => Promise<readonly Finding[]> },
): Promise<Finding[]> => {
  const readable = readablePart(point.schema, content)
  if (readable === undefined) return []
  const reported = new Set(details.map(({ field = '' }) => /^[^.[]*/.exec(field)?.[0]))
  const found = [...(point.check?.(readable, { name, all }) ?? []), ...(await findMore(readable as never))]
  return found.filter(({ path: [key] }) => !reported.has(String(key)))
}
