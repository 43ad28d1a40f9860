import { z } from 'zod'
import { node } from './node-schema.js'
import { variable } from './variables.js'

/** A model of routes: what a contribution to `routes` holds. */
export const route = z.strictObject({
  title: z.string().default('').describe('A label, or a key of labels'),
  description: z.string().default(''),
  permission: z.string().default('Read').describe('What who starts it needs on each document'),
  dataVisualization: z
    .array(z.string().min(1))
    .default([])
    .describe('Users and groups who may see the figures of its routes: what was audited of them'),
  availabilityFilter: z
    .string()
    .optional()
    .describe('An expression: on which documents it may be started. Absent: on all'),
  labels: z
    .record(
      z.string().regex(/^[a-z]{2,8}$/, 'expected a language, such as fr'),
      z.record(z.string(), z.string()),
    )
    .optional()
    .describe('By language what its graph shows instead of titles and labels that are keys'),
  variables: z.record(z.string(), variable).default({}),
  nodes: z.record(z.string().min(1), node).default({}),
})

export type RouteModel = z.output<typeof route>
