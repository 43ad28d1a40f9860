import { z } from 'zod'
import { component } from '../openapi/index.js'
import { flag } from '../parse/index.js'

const versionNumber = z.preprocess(
  (text) => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text),
  z
    .int({ error: ({ input }) => `expected a number, found "${input}"` })
    .min(0)
    .optional(),
)

export const readQuery = z.object({
  version: versionNumber.optional().describe('An earlier version, by number'),
  versions: flag.describe('All versions, without their content'),
})

export const deployQuery = z.object({
  dryRun: flag.describe('Reports what would change, and changes nothing'),
})

export const conditionHeaders = z.object({
  'If-Match': z.string().optional().describe('Deploys only when this is the version in force'),
  'If-None-Match': z.string().optional().describe('*: deploys only when there is none'),
})

const entityFields = {
  id: z.string(),
  version: z.int(),
  etag: z.string(),
  author: z.string().optional(),
  created: z.string().optional(),
  format: z.enum(['yaml', 'json', 'xml']),
  deleted: z.boolean().optional(),
  unchanged: z.boolean().optional().describe('The text equals what is in force: no new version'),
  sameAs: z
    .int()
    .optional()
    .describe('The first version of the same text, when an older one is deployed again'),
}

/** A version of a contribution; each extension point adds fields of its own. */
export const contributionVersion = component(
  'contribution',
  z.looseObject({ 'entity-type': z.string(), ...entityFields }),
  'A version of a contribution',
)

export const contributionList = component(
  'contributions',
  z.object({ 'entity-type': z.string(), entries: z.array(contributionVersion) }),
  'Contributions, without their content',
)

export const extensionPoints = component(
  'extensionPoints',
  z.object({
    'entity-type': z.literal('extensionPoints'),
    entries: z.array(z.object({ point: z.string(), formats: z.array(z.string()) })),
  }),
  'The extension points',
)

export const deploymentPlan = component(
  'contributionPlan',
  z.looseObject({ 'entity-type': z.string() }),
  'What would change',
)
