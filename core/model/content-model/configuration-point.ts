import { z } from 'zod'
import { type Contributions, defineExtensionPoint } from '../../platform/contributions/index.js'

/** Single values that a deployment may change, by name, as text (reference: security.md §12). */
export const configurationPoint = defineExtensionPoint({
  point: 'configuration',
  schema: z.strictObject({ value: z.union([z.string(), z.number(), z.boolean()]).transform(String) }),
})

export type Configuration = {
  text(name: string): string | undefined
  /** Whether the value is `true`, in any case. */
  isTrue(name: string): boolean
}

export const configurationOf = (contributions: Contributions): Configuration => {
  const values = contributions.get(configurationPoint)
  const text = (name: string) => values.get(name)?.value
  return { text, isTrue: (name) => text(name)?.trim().toLowerCase() === 'true' }
}
