import type { NodeModel } from '../model/index.js'
import type { Route } from './instance.js'

const nodeEntity = (id: string, node: NodeModel, state: string | null) => ({
  x: Math.round(node.taskX),
  y: Math.round(node.taskY),
  isStartNode: node.start,
  isEndNode: node.stop,
  isMerge: node.merge !== undefined,
  isMultiTask: node.hasMultipleTasks,
  hasSubWorkflow: node.subRouteModelExpr !== undefined,
  id,
  title: node.title || id,
  state,
})

/** The nodes and transitions of a route, or of a model, as clients draw them (workflow-audit.md §1, graph). */
export const graphEntity = ({ model, state }: Pick<Route, 'model'> & Partial<Pick<Route, 'state'>>) => ({
  'entity-type': 'graph' as const,
  nodes: Object.entries(model.nodes).map(([id, node]) =>
    nodeEntity(id, node, state?.nodes[id]?.state ?? null),
  ),
  transitions: Object.entries(model.nodes).flatMap(([nodeSourceId, { transitions }]) =>
    transitions.map(({ targetId, label, name, path }) => ({
      nodeSourceId,
      nodeTargetId: targetId,
      label: label || name,
      path,
    })),
  ),
})
