import type { Callable, ChainDefinition, Registry } from '../../language/index.js'
import { boundaryOf, commitsOnItsWay } from '../../planning/index.js'
import { findingsOfCall } from '../checking/calls/target-params.js'
import { MAX_PROBLEMS } from '../limits.js'
import type { OperationCall } from './operations.js'

type Found = { line: number; column: number; message: string }

const commits = (callable: Callable, { params }: OperationCall, registry: Registry): boolean => {
  if (callable.kind === 'chain') return commitsOnItsWay(callable.chain, registry)
  const given = Object.fromEntries(params.map(({ name, word }) => [name, word === 'true']))
  return boundaryOf(callable.operation, { operation: callable.operation.id, params: given }) !== undefined
}

/** Calls of what needs transactions of its own: a script is in that of its caller, and fails there (reference: automation.md §10). */
export const mustCommit = (calls: readonly OperationCall[], registry: Registry): readonly Found[] => {
  const known = new Map<ChainDefinition, boolean>()
  return calls.flatMap((call) => {
    const callable = registry.find(call.id)
    if (!callable) return []
    const chain = callable.kind === 'chain' ? callable.chain : undefined
    const found = (chain && known.get(chain)) ?? commits(callable, call, registry)
    if (chain) known.set(chain, found)
    const { name, line, column } = call
    const message = `${name} needs transactions of its own, which a script cannot begin: make it a step of a chain`
    return found ? [{ line, column, message }] : []
  })
}

/** Parameters that calls write down and nothing takes: they are lost without a word. */
export const doubtfulParams = (calls: readonly OperationCall[], registry: Registry): readonly Found[] => {
  const found: Found[] = []
  for (const { name: called, id, params } of calls) {
    const callable = registry.find(id)
    if (!callable || params.length === 0) continue
    if (found.length >= MAX_PROBLEMS) break
    // Values are the script's own: only the names are looked at.
    const given = Object.fromEntries(params.map(({ name }) => [name, 'expr:0']))
    for (const { name, part, message } of findingsOfCall(
      { called, callable, given, isGiven: () => true },
      registry,
    )) {
      const param = part === 'name' ? params.find((written) => written.name === name) : undefined
      if (param) found.push({ line: param.line, column: param.column, message })
    }
  }
  return found
}
