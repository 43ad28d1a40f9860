import { z } from 'zod'
import { defineExtensionPoint } from '../../platform/contributions/index.js'
import { filterFields, refusalsOfFilters, texts } from './filters.js'
import { handlerXml } from './handler-xml.js'

const content = z.strictObject({
  events: texts.describe('Names of the events of which any starts the chain'),
  chain: z.string().min(1).describe('The chain that runs; its input is the document of the event'),
  postCommit: z
    .boolean()
    .default(false)
    .describe('true: a run of its own after the commit; false: inside the transaction, without boundaries'),
  enabled: z.boolean().default(true),
  ...filterFields,
})

export type EventHandler = z.output<typeof content>

/** Chains that run when something happens (reference: automation.md §6, event handlers). All filters that are given must hold. */
export const eventHandlersPoint = defineExtensionPoint({
  point: 'eventHandlers',
  xml: handlerXml,
  schema: content,
  check: (handler) => [
    ...(handler.events.length > 0 ? [] : [{ path: ['events'], message: 'names no event' }]),
    ...refusalsOfFilters(handler),
  ],
})
