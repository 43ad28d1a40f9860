import { z } from 'zod'
import { modelName } from '../../model/content-model/index.js'
import { refusalOfConditions } from '../../model/nxql/index.js'
import { defineExtensionPoint } from '../../platform/contributions/index.js'

const names = z.array(z.string().min(1)).min(1)

/** The content of a policy that no longer fits; empty for a text that is not valid. */
const readLeniently = z
  .looseObject({
    enabled: z.unknown(),
    remove: z.unknown(),
    order: z.number().int().optional().catch(undefined),
    decision: z.unknown(),
    permissions: z.unknown(),
    when: z
      .object({
        identities: names.optional(),
        lockedByOther: z.boolean().optional(),
      })
      .optional()
      .catch(undefined),
    query: z.unknown(),
  })
  .partial()
  .catch({})

/**
 * A policy that denies stays closed: for its identities, on every document, first what it denied and then everything.
 * One that grants, or is switched off, has nothing to keep closed.
 */
const closed = (deployed: unknown): readonly object[] => {
  const { enabled, remove, order, decision, permissions, when, query } = readLeniently.parse(deployed)
  const isOpening = decision === 'grant' && query === undefined
  if (enabled === false || remove === true || isOpening) return []
  const denying = { replace: true, decision: 'deny', ...(order !== undefined && { order }) }
  // A query holds for everybody, whatever the conditions beside it.
  const narrow = { ...denying, ...(when && query === undefined && { when }) }
  return [...(permissions === undefined ? [] : [{ ...narrow, permissions }]), narrow]
}

/** Rules that are asked before the ACLs, in their order; they do not apply to administrators (reference: security.md §7). */
export const securityPoliciesPoint = defineExtensionPoint({
  point: 'securityPolicies',
  elements: { policy: { is: ({ attributes }) => attributes.name !== undefined } },
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
  standIns: closed,
  check: ({ query }) => {
    const message = query === undefined ? undefined : refusalOfConditions(query)
    return message === undefined ? [] : [{ path: ['query'], message }]
  },
})
