import { z } from 'zod'
import { defineExtensionPoint } from '../contributions/index.js'
import { parseConditions } from '../nxql/index.js'
import { modelName } from './names.js'

const names = z.array(z.string().min(1)).min(1)

/** Rules that are asked before the ACLs, in their order; administrators pass them all (security.md §7). */
export const securityPoliciesPoint = defineExtensionPoint({
  point: 'securityPolicies',
  schema: z.strictObject({
    enabled: z.boolean().optional(),
    order: z.number().int().optional().describe('Asked in this order; the first answer counts'),
    decision: z
      .enum(['grant', 'deny'])
      .optional()
      .describe('What it answers when all conditions hold; when absent deny, or nothing but the query alone'),
    permissions: z
      .array(modelName)
      .min(1)
      .optional()
      .describe('What it decides about, with what these include; Everything when absent'),
    when: z
      .strictObject({
        types: names.optional(),
        facets: names.optional(),
        lifecycleStates: names.optional(),
        identities: names.optional().describe('Users and groups'),
        lockedByOther: z.boolean().optional(),
      })
      .optional()
      .describe('All must hold; of a list, any'),
    query: z
      .string()
      .min(1)
      .optional()
      .describe(
        'NXQL condition that documents must match, or the permissions are denied to all but administrators',
      ),
  }),
  references: ({ permissions, when }) => [
    ...(permissions ?? []).map((name, index) => ({
      path: ['permissions', index],
      point: 'permissions',
      name,
    })),
    ...(when?.types ?? []).map((name, index) => ({ path: ['when', 'types', index], point: 'types', name })),
    ...(when?.facets ?? []).map((name, index) => ({
      path: ['when', 'facets', index],
      point: 'facets',
      name,
    })),
  ],
  check: ({ query }) => {
    if (query === undefined) return []
    try {
      parseConditions(query)
      return []
    } catch (error) {
      return [{ path: ['query'], message: error instanceof Error ? error.message : String(error) }]
    }
  },
})
