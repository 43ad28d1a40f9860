import { z } from 'zod'
import {
  type Contributions,
  defineExtensionPoint,
  defineRegistry,
} from '../../platform/contributions/index.js'
import { bareSource, refusalOfSource } from '../../platform/sandbox/expressions/index.js'
import { handlerXml } from './handler-xml.js'

/** One text, or several; the incumbent separates them by commas. */
const texts = z
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

const content = z.strictObject({
  events: texts.describe('Names of the events of which any starts the chain'),
  chain: z.string().min(1).describe('The chain that runs; its input is the document of the event'),
  postCommit: z
    .boolean()
    .default(false)
    .describe('true: a run of its own after the commit; false: inside the transaction, without boundaries'),
  enabled: z.boolean().default(true),
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
})

export type EventHandler = z.output<typeof content>

/** Chains that run when something happens (reference: automation.md §6, event handlers). All filters that are given must hold. */
export const eventHandlersPoint = defineExtensionPoint({
  point: 'eventHandlers',
  xml: handlerXml,
  schema: content,
  check: ({ events, condition, expression }) => [
    ...(events.length > 0 ? [] : [{ path: ['events'], message: 'names no event' }]),
    ...Object.entries({ condition, expression }).flatMap(([field, text]) => {
      const refusal = text === undefined ? undefined : refusalOfSource(bareSource(text))
      return refusal === undefined ? [] : [{ path: [field], message: refusal }]
    }),
  ],
})

export type NamedHandler = EventHandler & { name: string }

/** Handlers by the event that they wait for. */
export type EventHandlers = { inTransaction: HandlersByEvent; postCommit: HandlersByEvent }

type HandlersByEvent = ReadonlyMap<string, readonly NamedHandler[]>

const byEvent = (contributions: Contributions, postCommit: boolean): HandlersByEvent => {
  const found = new Map<string, NamedHandler[]>()
  for (const [name, handler] of contributions.get(eventHandlersPoint)) {
    if (!handler.enabled || handler.postCommit !== postCommit) continue
    for (const event of new Set(handler.events))
      found.set(event, [...(found.get(event) ?? []), { ...handler, name }])
  }
  return found
}

export const eventHandlersRegistry = defineRegistry<EventHandlers>({
  name: 'event handlers',
  build: (contributions) => ({
    inTransaction: byEvent(contributions, false),
    postCommit: byEvent(contributions, true),
  }),
})
