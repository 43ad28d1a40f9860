import { z } from 'zod'
import { defineExtensionPoint, type Report, type XmlPart } from '../../platform/contributions/index.js'
import { expressionFindings } from '../../platform/sandbox/expressions/index.js'

const content = z.strictObject({
  enabled: z.boolean().default(true).describe('false: the event is not audited'),
  extendedInfos: z
    .record(z.string().min(1), z.string().min(1))
    .default({})
    .describe('Expressions by the key under which their values are kept; Event and Document are known'),
})

export type AuditedEvent = z.output<typeof content>

/** `<event name="…"><extendedInfos><extendedInfo key="…" expression="…"/></extendedInfos></event>`. */
const readEvent = ({ attributes: { enabled }, children }: XmlPart, report: Report): object => {
  const extendedInfos: Record<string, string> = {}
  for (const { name, attributes, at } of children.flatMap((list) => list.children)) {
    const { key, expression } = attributes
    if (name === 'extendedInfo' && key && expression) extendedInfos[key] = expression
    else report('extendedInfos', at, 'expected <extendedInfo key="…" expression="…"/>')
  }
  return { ...(enabled !== undefined && { enabled: enabled !== 'false' }), extendedInfos }
}

/** Events of which entries are written; the name of a contribution is the event's (workflow-audit.md §6). */
export const auditPoint = defineExtensionPoint({
  point: 'audit',
  schema: content,
  elements: { event: { read: readEvent } },
  check: ({ extendedInfos }) =>
    Object.entries(extendedInfos).flatMap(([key, text]) => expressionFindings(['extendedInfos', key], text)),
})
