import { fail, isArchivoltError } from '../../platform/errors/index.js'
import {
  type Boundary,
  type ChainDefinition,
  type ChainStep,
  type ErrorChain,
  isExpression,
  type Operation,
  type Registry,
  rawParameter,
  type ScriptDefinition,
  scriptName,
} from '../language/index.js'
import { requireLoggedOut } from './login-steps.js'
import type { CallNode, LoopNode, Plan, PlanNode, SegmentNode } from './plan.js'

/** Chains that call one another deeper than this are a mistake. */
const MAX_DEPTH = 20

export const boundaryOf = (operation: Operation, step: ChainStep): Boundary | undefined =>
  typeof operation.boundary === 'function' ? operation.boundary(step.params) : operation.boundary

/** The operation or chain that a step of the Run… family names, unless an expression decides at run time. */
const targetOf = (operation: Operation, step: ChainStep): string | undefined => {
  if (!operation.callsTarget) return undefined
  const id = rawParameter(step, 'id')
  return typeof id === 'string' && (step.isLiteral || !isExpression(id)) ? id : undefined
}

/** Temporal refuses summaries of more than 400 bytes, and a character has up to 3. */
const MAX_TITLE = 120

const shortened = (title: string): string =>
  title.length <= MAX_TITLE ? title : `${title.slice(0, MAX_TITLE)}…`

/** `Document.Create, Document.Lock and 3 more`: what an operator reads in a list of activities. */
export const titleOf = (steps: readonly ChainStep[]): string => {
  const names = steps.map((step) => step.operation)
  return shortened(
    names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`,
  )
}

/** A scripted operation travels with the run like a chain, and so do those that its text names. */
const carryScript = (planning: Planning, { script }: Operation): void => {
  if (!script || planning.chains.has(script.id)) return
  const { id, aliases } = script
  planning.chains.set(id, { id, aliases, params: [], steps: [], script })
  for (const other of planning.registry.operations)
    if (calls(script, other.script)) carryScript(planning, other)
  for (const chain of planning.registry.chains) if (calls(script, chain)) planning.chains.set(chain.id, chain)
}

const calls = (
  { script }: ScriptDefinition,
  callee: { id: string; aliases: readonly string[] } | undefined,
): boolean =>
  callee !== undefined && [callee.id, ...callee.aliases].some((id) => script.includes(scriptName(id)))

type Planning = { registry: Registry; chains: Map<string, ChainDefinition>; path: readonly string[] }

const enter = (planning: Planning, chain: ChainDefinition): Planning => {
  if (planning.path.includes(chain.id))
    throw fail('invalid', `Chain ${[...planning.path, chain.id].join(' -> ')} calls itself`)
  if (planning.path.length >= MAX_DEPTH)
    throw fail('invalid', `Chain ${chain.id} is nested deeper than ${MAX_DEPTH} calls`)
  planning.chains.set(chain.id, chain)
  return { ...planning, path: [...planning.path, chain.id] }
}

type Target = {
  /** Undefined when it is one transaction without boundaries. */
  nodes: readonly PlanNode[] | undefined
  isSlow: boolean
  onError?: readonly ErrorChain[]
}

/** Carries the error chains of a chain. @returns whether one of them is slow. */
const carryErrorChains = (planning: Planning, { id, onError = [] }: ChainDefinition): boolean => {
  let isSlow = false
  for (const { chain } of onError) {
    if (planning.registry.get(chain).kind !== 'chain')
      throw fail('invalid', `Chain ${id}: the error chain ${chain} is an operation`)
    const target = nodesOfTarget(planning, chain)
    if (target.nodes)
      throw fail(
        'invalid',
        `Chain ${id}: the error chain ${chain} commits on its way; an error chain is one transaction`,
      )
    isSlow ||= target.isSlow
  }
  return isSlow
}

/** The nodes of a chain's steps. Where an error chain is slow, so is every segment that may come to run it. */
const planChainSteps = (planning: Planning, chain: ChainDefinition): PlanNode[] => {
  const nodes = planSteps(planning, chain.steps)
  requireLoggedOut(chain.id, nodes)
  if (!carryErrorChains(planning, chain)) return nodes
  return nodes.map((node) => (node.kind === 'segment' ? { ...node, isSlow: true } : node))
}

/** What calling an id comes to. */
const nodesOfTarget = (planning: Planning, id: string): Target => {
  const callable = planning.registry.get(id)
  if (callable.kind === 'operation') {
    carryScript(planning, callable.operation)
    return { nodes: undefined, isSlow: Boolean(callable.operation.isSlow) }
  }
  const { chain } = callable
  const nodes = planChainSteps(enter(planning, chain), chain)
  const isOneSegment = nodes.every((node) => node.kind === 'segment')
  const isSlow = nodes.some((node) => node.kind !== 'loop' && node.isSlow)
  return { nodes: isOneSegment ? undefined : nodes, isSlow, ...(chain.onError && { onError: chain.onError }) }
}

/** A step that must not share a transaction with its neighbours; undefined when it may. */
const boundaryNode = (
  planning: Planning,
  step: ChainStep,
): { node?: CallNode | LoopNode; isSlow: boolean } => {
  const callable = planning.registry.get(step.operation)
  if (callable.kind === 'chain') {
    const { nodes, isSlow, onError } = nodesOfTarget(planning, callable.chain.id)
    if (!nodes) return { isSlow }
    const title = shortened(`chain ${callable.chain.id}`)
    return {
      node: {
        kind: 'call',
        step,
        target: callable.chain.id,
        plan: nodes,
        ...(onError && { onError }),
        keepsOutput: true,
        isSlow,
        title,
      },
      isSlow,
    }
  }
  const { operation } = callable
  carryScript(planning, operation)
  const boundary = boundaryOf(operation, step)
  const target = targetOf(operation, step)
  const { nodes, isSlow, onError }: Target =
    target === undefined ? { nodes: undefined, isSlow: false } : nodesOfTarget(planning, target)
  if (!boundary && !nodes) return { isSlow: isSlow || Boolean(operation.isSlow) }
  if (target === undefined) {
    throw fail(
      'invalid',
      `${operation.id}: parameter id must name an operation or chain, an expression cannot`,
    )
  }
  const title = shortened(`${operation.id} ${target}`)
  const plan = nodes && { plan: nodes, ...(onError && { onError }) }
  // Pages are a step of a transaction until what they are given to commits on its way.
  if (operation.callsTarget === 'list' || operation.callsTarget === 'pages')
    return { node: { kind: 'loop', step, target, over: operation.callsTarget, ...plan, title }, isSlow }
  const keepsOutput = operation.methods.some((method) => method.output !== 'void')
  // A list may be long: an attempt must be able to take its time over it, and to report that it is alive.
  const mapsInput = operation.methods.some((method) => method.iterates)
  return {
    node: {
      kind: 'call',
      step,
      target,
      ...plan,
      ...(mapsInput && { mapsInput: true }),
      keepsOutput,
      isSlow: isSlow || mapsInput,
      title,
    },
    isSlow,
  }
}

const planSteps = (planning: Planning, steps: readonly ChainStep[]): PlanNode[] => {
  const nodes: PlanNode[] = []
  let open: { steps: ChainStep[]; isSlow: boolean } = { steps: [], isSlow: false }
  const close = (): void => {
    if (open.steps.length === 0) return
    const segment: SegmentNode = {
      kind: 'segment',
      steps: open.steps,
      isSlow: open.isSlow,
      title: titleOf(open.steps),
    }
    nodes.push(segment)
    open = { steps: [], isSlow: false }
  }
  for (const step of steps) {
    const { node, isSlow } = boundaryNode(planning, step)
    if (node) {
      close()
      nodes.push(node)
    } else {
      open.steps.push(step)
      open.isSlow ||= isSlow
    }
  }
  close()
  return nodes
}

/**
 * Cuts a chain at its boundaries, with all chains that it calls.
 *
 * @throws notFound for an unknown operation or chain, invalid for chains that call themselves.
 */
export const planChain = (chain: ChainDefinition, registry: Registry): Plan => {
  const chains = new Map<string, ChainDefinition>()
  // Not among the chains that it calls: by its id, a chain of one step would hide the operation of that step.
  const nodes = planChainSteps({ registry, chains, path: [chain.id] }, chain)
  return {
    chainId: chain.id,
    nodes,
    ...(chain.onError && { onError: chain.onError }),
    chains: Object.fromEntries(chains),
    params: chain.params,
  }
}

const commits = (chain: ChainDefinition, step: ChainStep, registry: Registry): boolean => {
  try {
    return planChain({ ...chain, steps: [step] }, registry).nodes.some(({ kind }) => kind !== 'segment')
  } catch (error) {
    if (isArchivoltError(error)) return false
    throw error
  }
}

/** Positions of the steps that commit before a chain goes on. A step that cannot be planned is none of them. */
export const committingSteps = (chain: ChainDefinition, registry: Registry): number[] =>
  chain.steps.flatMap((step, position) => (commits(chain, step, registry) ? [position] : []))

/** A single operation with a boundary, called over HTTP, is a chain of one step. */
export const chainOfOne = (operation: Operation, params: ChainStep['params']): ChainDefinition => ({
  id: operation.id,
  aliases: [],
  params: [],
  steps: [{ operation: operation.id, params, isLiteral: true }],
})
