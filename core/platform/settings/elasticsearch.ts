import { z } from 'zod'

/** Name of an alias, or of an index: no more of what Elasticsearch allows is needed. */
const indexName = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]{0,99}$/,
    "must be a lower-case letter, then at most 99 of 'a' to 'z', digits, '-', '_'",
  )

export const elasticsearchVariables = {
  ELASTICSEARCH_URL: z
    .string()
    .regex(/^https?:\/\/[^/]/, 'must be http://host:port or https://host:port')
    .optional(),
  ARCHIVOLT_ELASTICSEARCH: z.enum(['on', 'off']).default('on'),
  ARCHIVOLT_ELASTICSEARCH_INDEX: indexName.default('archivolt'),
}

export type ElasticsearchSettings = {
  url: string
  /** What the names of its indexes begin with. */
  index: string
}

type Variables = z.infer<z.ZodObject<typeof elasticsearchVariables>>

/** @returns undefined where it is switched off, or has no address. */
export const elasticsearchSettings = (value: Variables): ElasticsearchSettings | undefined =>
  value.ELASTICSEARCH_URL && value.ARCHIVOLT_ELASTICSEARCH === 'on'
    ? { url: value.ELASTICSEARCH_URL, index: value.ARCHIVOLT_ELASTICSEARCH_INDEX }
    : undefined
