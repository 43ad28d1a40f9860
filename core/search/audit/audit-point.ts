import { z } from 'zod'
import { defineExtensionPoint } from '../../platform/contributions/index.js'
import { bareSource, refusalOfSource } from '../../platform/sandbox/expressions/index.js'

const content = z.strictObject({
  enabled: z.boolean().default(true).describe('false: the event is not audited'),
  extendedInfos: z
    .record(z.string().min(1), z.string().min(1))
    .default({})
    .describe('Expressions by the key under which their values are kept; Event and Document are known'),
})

export type AuditedEvent = z.output<typeof content>

/** Events of which entries are written; the name of a contribution is the event's (workflow-audit.md §6). */
export const auditPoint = defineExtensionPoint({
  point: 'audit',
  schema: content,
  check: ({ extendedInfos }) =>
    Object.entries(extendedInfos).flatMap(([key, text]) => {
      const refusal = refusalOfSource(bareSource(text))
      return refusal === undefined ? [] : [{ path: ['extendedInfos', key], message: refusal }]
    }),
})
