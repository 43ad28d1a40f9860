import { z } from 'zod'
import { defineExtensionPoint, type Finding } from '../../platform/contributions/index.js'
import { filterFields, refusalsOfFilters } from './filters.js'

const MAX_NAME_LENGTH = 100
const MAX_RETRIES = 100
const MAX_SECONDS = 6 * 60 * 60
const RETRIES = 2

const target = (what: string) => z.string().min(1).optional().describe(what)

/** What a later file, or a deployment over a file, does not repeat is optional here. */
const content = z.strictObject({
  events: z.array(z.string().min(1)).default([]).describe('Names of the events of which any is heard'),
  chain: target('The chain that runs; its input is the document of the event'),
  script: target('The scripted operation that runs instead'),
  operation: target('The operation of the product that runs instead'),
  before: target('Of a long-running listener: the chain or script of the first transaction; false ends it'),
  work: target('and the chain or script that may take long, without a transaction; false ends it'),
  after: target('and the chain or script of the last transaction'),
  params: z
    .record(z.string(), z.json())
    .default({})
    .describe('Parameters of what runs; of a script or an operation with expressions'),
  postCommit: z.boolean().default(false).describe('false: inside the transaction; true: after its commit'),
  async: z
    .boolean()
    .default(false)
    .describe('true: after the commit, and nobody waits for it; false with postCommit: callers over HTTP do'),
  priority: z.int().default(0).describe('Lower ones come first'),
  enabled: z.boolean().default(true),
  retryCount: z
    .int()
    .min(0)
    .max(MAX_RETRIES)
    .default(RETRIES)
    .describe('How often a transaction that fails after the commit is tried again'),
  transactionTimeOut: z
    .int()
    .min(0)
    .max(MAX_SECONDS)
    .default(0)
    .describe('Seconds after which a transaction after the commit fails; 0: the usual ones'),
  bulk: z
    .boolean()
    .default(false)
    .describe('true: after the commit one run for all events of a transaction, which are Events'),
  singlethread: z
    .literal(false, 'is not offered: runs of a listener go on beside each other')
    .default(false)
    .describe('Whether its runs follow each other'),
  ...filterFields,
})

export type Listener = z.output<typeof content>

const TARGETS = ['chain', 'script', 'operation', 'work'] as const

/** What runs, where there is one thing. */
const givenTargets = (listener: Listener): string[] =>
  TARGETS.filter((field) => listener[field] !== undefined)

const findingsOf = (listener: Listener): Finding[] => {
  const given = givenTargets(listener)
  const isAfterCommit = listener.postCommit || listener.async
  const phases = (['before', 'after'] as const).filter((field) => listener[field] !== undefined)
  const refusals: [string, boolean, string][] = [
    ['events', listener.events.length === 0, 'names no event'],
    ['chain', given.length === 0, `is missing: a listener names one of ${TARGETS.join(', ')}`],
    [given[1] ?? '', given.length > 1, `stands beside ${given[0]}; one of ${TARGETS.join(', ')} is expected`],
    [phases[0] ?? '', phases.length > 0 && listener.work === undefined, 'stands without work'],
    ['work', listener.work !== undefined && !listener.async, 'takes async: true, as it may take long'],
    ['bulk', listener.bulk && !isAfterCommit, 'takes postCommit: true or async: true'],
    [
      'params',
      listener.work !== undefined && Object.keys(listener.params).length > 0,
      'are none of long-running listeners',
    ],
  ]
  return refusals.flatMap(([field, isRefused, message]) => (isRefused ? [{ path: [field], message }] : []))
}

/** Chains, scripts and operations that run when something happens (workflow-audit.md §7, listeners). */
export const listenersPoint = defineExtensionPoint({
  point: 'listeners',
  name: z.string().max(MAX_NAME_LENGTH, `at most ${MAX_NAME_LENGTH} characters`),
  elements: { listener: { keys: { event: 'events', class: 'operation' } } },
  schema: content,
  check: (listener) => [...findingsOf(listener), ...refusalsOfFilters(listener)],
})
