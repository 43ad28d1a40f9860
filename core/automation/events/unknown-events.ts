import { IDENTITY_EVENTS } from '../../access/identity/index.js'
import { didYouMean, type Finding } from '../../platform/contributions/index.js'
import { FIRING_OPERATION, REPOSITORY_EVENTS } from '../../platform/events/index.js'
import { constantTarget, stepsOf } from '../chains/index.js'
import type { ChainDefinition, Registry } from '../language/index.js'

/** What may emit events of names that designers choose. */
export type EventSources = {
  registry: Registry
  /** Schedules of which some emit an event. */
  schedules: Iterable<{ event?: string | undefined }>
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const firedBy = (chain: ChainDefinition, registry: Registry): string[] =>
  stepsOf(chain).flatMap((step) => {
    const callable = registry.find(step.operation)
    if (callable?.kind !== 'operation') return []
    const target = constantTarget(callable.operation, step)
    const called = target ? registry.find(target.id) : callable
    const isFiring = called?.kind === 'operation' && called.operation.id === FIRING_OPERATION
    return isFiring ? textsIn(step.params) : []
  })

const isQuotedIn = (name: string, script: string): boolean =>
  ["'", '"', '`'].some((quote) => script.includes(`${quote}${name}${quote}`))

/**
 * Events of a handler that nothing known emits: neither the product, nor a chain, a script or a schedule that is
 * deployed. Findings, not refusals: whoever may call operations emits events of any name.
 */
export const unknownEvents = (
  { events }: { events: readonly string[] },
  { registry, schedules }: EventSources,
): Finding[] => {
  const emitted = events.filter((event) => !REPOSITORY_EVENTS.has(event) && !IDENTITY_EVENTS.has(event))
  if (emitted.length === 0) return []
  const known = new Set([
    ...REPOSITORY_EVENTS,
    ...IDENTITY_EVENTS,
    ...registry.chains.flatMap((chain) => firedBy(chain, registry)),
    ...[...schedules].flatMap(({ event }) => event ?? []),
  ])
  const scripts = registry.operations.flatMap(({ script }) => script?.script ?? [])
  return emitted.flatMap((event) => {
    if (known.has(event) || scripts.some((script) => isQuotedIn(event, script))) return []
    const meant = didYouMean(event, known)
    const hint =
      meant === undefined
        ? `: it waits until somebody calls ${FIRING_OPERATION}`
        : `, did you mean "${meant}"?`
    const message = `neither the product nor what is deployed emits the event "${event}"${hint}`
    return [{ path: ['events'], message }]
  })
}
