import { z } from 'zod'
import { defineExtensionPoint, withChildren, type XmlPart } from '../../platform/contributions/index.js'

const content = z.strictObject({
  categories: z.array(z.string().min(1)).min(1).describe('Where user interfaces show it'),
  label: z.string().optional().describe('Label in user interfaces; its name when absent'),
  help: z.string().optional(),
  icon: z.string().optional(),
  link: z.string().optional().describe('Target of the action'),
  order: z.number().int().default(100).describe('Those with a lower number come first'),
  enabled: z.boolean().default(true),
  properties: z.record(z.string(), z.string()).default({}).describe('Further values for user interfaces'),
  permission: z.string().optional().describe('Offered to those who hold it on the document'),
  types: z.array(z.string()).default([]).describe('Offered on documents of these types; empty: of any'),
  facets: z.array(z.string()).default([]).describe('Offered on documents with one of these facets'),
  groups: z.array(z.string()).default([]).describe('Offered to their members, and to administrators'),
})

/** A filter grants by rules; their conditions stand in the action itself here. */
const conditionsOf = (child: XmlPart): XmlPart | readonly XmlPart[] => {
  if (child.name !== 'filter') return child
  return child.children.flatMap((rule) =>
    rule.name === 'rule' && rule.attributes.grant === 'true' ? rule.children : [rule],
  )
}

/** Actions for user interfaces; the name of a contribution is the action's id. */
export const actionsPoint = defineExtensionPoint({
  point: 'actions',
  elements: {
    action: {
      keys: { category: 'categories' },
      rewrite: (part) => {
        // How a user interface draws it.
        const { type: _, ...attributes } = part.attributes
        return withChildren({ ...part, attributes }, conditionsOf)
      },
    },
  },
  schema: content,
})

export type Action = z.infer<typeof content>
