import { z } from 'zod'
import { parseNxql } from '../../model/nxql/index.js'
import {
  type Contributions,
  defineExtensionPoint,
  defineRegistry,
  type Finding,
} from '../../platform/contributions/index.js'
import { isArchivoltError } from '../../platform/errors/index.js'

const MAX_NAME_LENGTH = 100
const SHORTEST_SECRET = 16

/** A query for those of some documents that a condition holds for. */
export const queryOf = (condition: string, ids: readonly string[] = []): string => {
  const among = ids.length > 0 ? `ecm:uuid IN (${ids.map((id) => `'${id}'`).join(', ')}) AND ` : ''
  return `SELECT * FROM Document WHERE ${among}(${condition})`
}

const isHttp = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)

const names = z.array(z.string().min(1)).default([])

/** What a later file, or a deployment over a file, does not repeat is optional here. */
const content = z.strictObject({
  url: z
    .string()
    .refine(isHttp, 'is no http or https URL')
    .optional()
    .describe('Where events are posted; ARCHIVOLT_HTTP_ALLOW has to allow its host'),
  events: names.describe('Names of events; none: all'),
  types: names.describe('Types of which the document must be one; none: any'),
  path: z.string().startsWith('/').optional().describe('The document must be there or below'),
  condition: z.string().min(1).optional().describe('NXQL behind WHERE, which must hold for the document'),
  secret: z
    .string()
    .min(SHORTEST_SECRET, `is shorter than ${SHORTEST_SECRET} characters`)
    .optional()
    .describe('Signs each delivery; absent: none is signed'),
  enabled: z.boolean().default(true),
})

const refusalOfCondition = (condition: string): Finding[] => {
  try {
    parseNxql(queryOf(condition))
    return []
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    return [{ path: ['condition'], message: error.message }]
  }
}

/** Servers that are notified of events. */
export const webhooksPoint = defineExtensionPoint({
  point: 'webhooks',
  name: z
    .string()
    .max(MAX_NAME_LENGTH, `at most ${MAX_NAME_LENGTH} characters`)
    .regex(/^[^/]+$/, 'has no slash'),
  elements: { webhook: {} },
  schema: content,
  check: ({ url, condition }) => [
    ...(url === undefined ? [{ path: ['url'], message: 'is missing' }] : []),
    ...(condition === undefined ? [] : refusalOfCondition(condition)),
  ],
})

export type Webhook = Omit<z.output<typeof content>, 'enabled' | 'url'> & { name: string; url: string }

/** The webhooks that are in force, by name. */
export const webhooksRegistry = defineRegistry<ReadonlyMap<string, Webhook>>({
  name: 'webhooks',
  build: (contributions: Contributions) =>
    new Map(
      [...contributions.get(webhooksPoint)].flatMap(([name, { enabled, url, ...webhook }]) =>
        // The point's check lets none pass without an address.
        enabled && url !== undefined ? [[name, { ...webhook, name, url }] as const] : [],
      ),
    ),
})
