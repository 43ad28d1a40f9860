import { z } from 'zod'
import { defineExtensionPoint } from '../../../platform/contributions/index.js'
import type { Callable } from './registry.js'

const binding = z.strictObject({
  disabled: z.boolean().default(false).describe('Nobody may call it, not even an administrator'),
  secure: z.boolean().default(false).describe('Only over HTTPS'),
  administrator: z.boolean().default(false).describe('Administrators may call it'),
  groups: z.array(z.string().min(1)).default([]).describe('Members of any of these groups may call it'),
})

export type OperationFilter = z.output<typeof binding>

/**
 * Who may call an operation, or a chain under `Chain.{id}`, by its canonical id (reference: automation.md §6, security
 * filters). Without administrators and groups it is open to everybody. It binds callers: what a deployed chain
 * calls is the chain's business.
 */
export const operationFiltersPoint = defineExtensionPoint({
  point: 'operationFilters',
  elements: { binding: {} },
  schema: binding,
})

/** What the filter of an operation or a chain is called. */
export const filterNameOf = (callable: Callable): string =>
  callable.kind === 'chain' ? `Chain.${callable.chain.id}` : callable.operation.id
