import { z } from 'zod'
import { defineExtensionPoint } from '../contributions/index.js'

/** Single values that a deployment may change, by the name of a property, as text (security.md §12). */
export const configurationPoint = defineExtensionPoint({
  point: 'configuration',
  elements: { property: { text: 'value' } },
  schema: z.strictObject({ value: z.union([z.string(), z.number(), z.boolean()]).transform(String) }),
})
