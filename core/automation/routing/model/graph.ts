import type { NodeModel, Transition } from './node-schema.js'
import type { RouteModel } from './route-schema.js'

/** A transition into a node. `isLoop`: it leads back to where its source was reached from. */
export type Input = { source: string; transition: Transition; isLoop: boolean }

/** A model with what follows from its transitions. */
export type Graph = { model: RouteModel; start: string; inputs: ReadonlyMap<string, readonly Input[]> }

const key = (source: string, { name }: Transition): string => `${source} ${name}`

/** Transitions that close a circle on the way from the start. */
const loopsFrom = (nodes: RouteModel['nodes'], start: string): Set<string> => {
  const [open, left, loops] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const visit = (id: string): void => {
    open.add(id)
    for (const transition of nodes[id]?.transitions ?? []) {
      if (open.has(transition.targetId)) loops.add(key(id, transition))
      else if (!left.has(transition.targetId)) visit(transition.targetId)
    }
    open.delete(id)
    left.add(id)
  }
  visit(start)
  return loops
}

export const startOf = ({ nodes }: Pick<RouteModel, 'nodes'>): string | undefined =>
  Object.entries(nodes).find(([, { start }]) => start)?.[0]

const graphs = new WeakMap<RouteModel, Graph>()

/** The graph of a model that has passed its check. */
export const graphOf = (model: RouteModel): Graph => {
  const known = graphs.get(model)
  if (known) return known
  const start = startOf(model) ?? ''
  const loops = loopsFrom(model.nodes, start)
  const inputs = new Map<string, Input[]>()
  for (const [source, { transitions }] of Object.entries(model.nodes))
    for (const transition of transitions) {
      const input = { source, transition, isLoop: loops.has(key(source, transition)) }
      inputs.set(transition.targetId, [...(inputs.get(transition.targetId) ?? []), input])
    }
  const graph = { model, start, inputs }
  graphs.set(model, graph)
  return graph
}

/** Ids of the nodes that can be reached from one. */
export const reachedFrom = (nodes: RouteModel['nodes'], start: string): Set<string> => {
  const reached = new Set<string>()
  const waiting = [start]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id)) continue
    reached.add(id)
    for (const { targetId } of nodes[id]?.transitions ?? []) waiting.push(targetId)
  }
  return reached
}

/** The node of a graph. @throws Error for one that the model does not have, which its check excludes. */
export const nodeOf = ({ model }: Graph, id: string): NodeModel => {
  const found = model.nodes[id]
  if (!found) throw new Error(`The route has no node ${id}`)
  return found
}
