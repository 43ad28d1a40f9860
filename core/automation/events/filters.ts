import { z } from 'zod'
import type { Finding } from '../../platform/contributions/index.js'
import { expressionFindings } from '../../platform/sandbox/expressions/index.js'

/** One text, or several; the incumbent separates them by commas. */
export const texts = z
  .union([z.string(), z.array(z.string())])
  .transform((given) =>
    (Array.isArray(given) ? given : given.split(','))
      .map((text) => text.trim())
      .filter((text) => text !== ''),
  )

/** Kinds of documents as the incumbent names them (reference: automation.md §6, event handlers). */
export const ATTRIBUTES = [
  'Any',
  'Regular Document',
  'Document Link',
  'Published Document',
  'Document Proxy',
  'Document Version',
  'Immutable Document',
  'Mutable Document',
] as const

/** What an event must be about for something to happen; all that are given must hold. */
export const filterFields = {
  doctype: texts.default([]).describe('Types of which the document must be one'),
  facet: z.string().optional().describe('A facet that it must have'),
  lifeCycle: texts.default([]).describe('Life-cycle states of which it must be in one'),
  pathStartsWith: z.string().optional().describe('What its path must begin with'),
  attribute: z.enum(ATTRIBUTES).default('Any').describe('The kind of document that it must be'),
  group: texts.default([]).describe('Groups of which the user must be in one'),
  isAdministrator: z.boolean().optional().describe('Whether the user must be an administrator, or must not'),
  condition: z.string().optional().describe('An expression that must be true; Event and Document are known'),
  expression: z
    .string()
    .optional()
    .describe('An expression that must not be true: the older form of condition'),
}

const filters = z.object(filterFields)

export type EventFilters = z.output<typeof filters>

/** What is wrong with the expressions of some filters. */
export const refusalsOfFilters = ({ condition, expression }: EventFilters): Finding[] =>
  Object.entries({ condition, expression }).flatMap(([field, text]) => expressionFindings([field], text))
