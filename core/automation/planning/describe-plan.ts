import { isArchivoltError } from '../../platform/errors/index.js'
import {
  type ChainDefinition,
  type ChainExecution,
  choosePath,
  type Registry,
  type ValueType,
} from '../language/index.js'
import type { PlanNode } from './plan.js'
import { planChain } from './planner.js'

/** A plan as a designer reads it: where the chain commits, and what goes in and comes out. */
export type PlanDescription = {
  chainId: string
  execution: ChainExecution
  /** One transaction each, in order; a boundary lists the transactions of its target below it. */
  segments: readonly PlanPart[]
  boundaries: number
  /** For each input type that finds a path through the chain: what comes out. */
  signatures: readonly { input: ValueType; output: ValueType }[]
}

export type PlanPart = {
  kind: PlanNode['kind']
  title: string
  steps: readonly string[]
  isSlow: boolean
  segments?: readonly PlanPart[]
}

const INPUTS: readonly ValueType[] = ['void', 'document', 'documents', 'blob', 'bloblist', 'string']

const describeNode = (node: PlanNode): PlanPart => ({
  kind: node.kind,
  title: node.title,
  steps: node.kind === 'segment' ? node.steps.map((step) => step.operation) : [node.step.operation],
  isSlow: node.kind !== 'loop' && node.isSlow,
  ...(node.kind !== 'segment' && node.plan && { segments: node.plan.map(describeNode) }),
})

type Signatures = readonly { input: ValueType; output: ValueType }[]

/** What was found out of a registry, which never changes: everybody asks for its chains, each of a thousand steps maybe. */
const known = new WeakMap<Registry, Map<ChainDefinition, Signatures>>()

/** The ways to call a chain: the pairs of types for which every step fits the one before it. None for one that calls itself. */
export const signaturesOf = (chain: ChainDefinition, registry: Registry): Signatures => {
  const found = known.get(registry) ?? new Map<ChainDefinition, Signatures>()
  known.set(registry, found)
  const before = found.get(chain)
  if (before) return before
  // Until it is found out: for whoever asks from inside of it.
  found.set(chain, [])
  const signatures = signaturesBySteps(chain, registry)
  found.set(chain, signatures)
  return signatures
}

const signaturesBySteps = (chain: ChainDefinition, registry: Registry): Signatures => {
  const steps = chain.steps.map((step) => {
    const callable = registry.get(step.operation)
    if (callable.kind === 'operation') return { id: step.operation, methods: callable.operation.methods }
    const signatures = signaturesOf(callable.chain, registry)
    return {
      id: step.operation,
      methods: signatures.map((types) => ({ ...types, run: async () => ({ type: 'void' as const }) })),
    }
  })
  return INPUTS.flatMap((input) => {
    const choice = choosePath(steps, input)
    return 'path' in choice ? [{ input, output: choice.path.types.at(-1) ?? input }] : []
  })
}

/**
 * What deploying a chain would run.
 *
 * @throws what planning throws: notFound for an unknown operation, invalid for a cycle.
 */
export const describePlan = (chain: ChainDefinition, registry: Registry): PlanDescription => {
  const { nodes } = planChain(chain, registry)
  return {
    chainId: chain.id,
    execution: chain.execution ?? 'workflow',
    segments: nodes.map(describeNode),
    boundaries: nodes.filter((node) => node.kind !== 'segment').length,
    signatures: signaturesOf(chain, registry),
  }
}

/** Whether a chain commits on its way. One that cannot be planned does not: what is wrong with it is reported with its place. */
export const commitsOnItsWay = (chain: ChainDefinition, registry: Registry): boolean => {
  try {
    return describePlan(chain, registry).boundaries > 0
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    return false
  }
}
