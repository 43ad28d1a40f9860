import { type Finding, suggestion } from '../../platform/contributions/index.js'
import { findingsOfCall, unknownChain } from '../chains/index.js'
import { mayWorkApart } from '../execution/index.js'
import type { Operation, Registry } from '../language/index.js'
import { commitsOnItsWay } from '../planning/index.js'
import type { EventHandler } from './event-handlers-point.js'
import type { Listener } from './listeners-point.js'

const chainFindings = (field: string, id: string, registry: Registry, mayCommit: boolean): Finding[] => {
  const callable = registry.find(id)
  if (callable?.kind !== 'chain') return [{ path: [field], message: unknownChain(id, registry) }]
  if (mayCommit || !commitsOnItsWay(callable.chain, registry)) return []
  return [{ path: [field], message: `"${id}" commits on its way; with postCommit: true it may` }]
}

/** What is wrong with an event handler, when this is what can be called. */
export const findingsOfHandler = ({ chain, postCommit }: EventHandler, registry: Registry): Finding[] =>
  chainFindings('chain', chain, registry, postCommit)

const operationFindings = (
  field: 'script' | 'operation',
  id: string,
  registry: Registry,
  mayCommit: boolean,
): Finding[] => {
  const callable = registry.find(id)
  const isFit = ({ script }: Operation): boolean => (script !== undefined) === (field === 'script')
  if (callable?.kind !== 'operation' || !isFit(callable.operation)) {
    const known = registry.operations.filter(isFit).map((operation) => operation.id)
    return [{ path: [field], message: `there is no ${field} "${id}"${suggestion(id, known)}` }]
  }
  if (mayCommit || callable.operation.boundary === undefined) return []
  return [{ path: [field], message: `"${id}" commits on its way; with postCommit: true it may` }]
}

const PHASES = ['before', 'work', 'after'] as const

const phaseFindings = (listener: Listener, registry: Registry): Finding[] =>
  PHASES.flatMap((field) => {
    const id = listener[field]
    if (id === undefined) return []
    const callable = registry.find(id)
    if (!callable) return [{ path: [field], message: `there is no chain or script "${id}"` }]
    if (callable.kind === 'chain' && commitsOnItsWay(callable.chain, registry))
      return [{ path: [field], message: `"${id}" commits on its way: a step is one transaction, or none` }]
    const refused =
      field === 'work' &&
      callable.kind === 'chain' &&
      callable.chain.steps.find(({ operation }) => !mayWorkApart(registry.find(operation)))
    return refused
      ? [{ path: [field], message: `"${id}" has no transaction, which ${refused.operation} needs` }]
      : []
  })

/** Parameters that nothing reads. One that is missing may be a variable of the event. */
const parameterFindings = (called: string, given: Listener['params'], registry: Registry): Finding[] => {
  const callable = registry.find(called)
  if (callable === undefined) return []
  return findingsOfCall({ called, callable, given, isGiven: () => true }, registry)
    .filter(({ part }) => part === 'name')
    .map(({ name, message }) => ({ path: ['params', name], onKey: true, message }))
}

/** What is wrong with a listener, when this is what can be called. */
export const findingsOfListener = (listener: Listener, registry: Registry): Finding[] => {
  const { chain, script, operation, params } = listener
  const mayCommit = listener.postCommit || listener.async
  return [
    ...(chain === undefined ? [] : chainFindings('chain', chain, registry, mayCommit)),
    ...(script === undefined ? [] : operationFindings('script', script, registry, mayCommit)),
    ...(operation === undefined ? [] : operationFindings('operation', operation, registry, mayCommit)),
    ...(operation === undefined ? [] : parameterFindings(operation, params, registry)),
    ...phaseFindings(listener, registry),
  ]
}
