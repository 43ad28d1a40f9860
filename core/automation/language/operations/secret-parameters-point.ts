import { z } from 'zod'
import { type Contributions, defineExtensionPoint } from '../../../platform/contributions/index.js'

const content = z.strictObject({
  description: z.string().optional().describe('What the secret is for'),
})

/** Names of parameters and variables whose values no history shows in clear. */
export const secretParametersPoint = defineExtensionPoint({
  point: 'secretParameters',
  elements: { secretParameter: {} },
  schema: content,
})

export const secretNamesOf = (contributions: Contributions): readonly string[] => [
  ...contributions.get(secretParametersPoint).keys(),
]
