import type { NodeModel, RouteModel } from '../model/index.js'
import type { Route } from './instance.js'

/** A label in the first of some languages that has it, or as it stands. */
const translating =
  ({ labels = {} }: RouteModel, languages: readonly string[]) =>
  (label: string): string => {
    const texts = languages.find((language) => Object.hasOwn(labels[language] ?? {}, label))
    return (texts && labels[texts]?.[label]) ?? label
  }

const nodeEntity = (id: string, node: NodeModel, state: string | null) => ({
  x: Math.round(node.taskX),
  y: Math.round(node.taskY),
  isStartNode: node.start,
  isEndNode: node.stop,
  isMerge: node.merge !== undefined,
  isMultiTask: node.hasMultipleTasks,
  hasSubWorkflow: node.subRouteModelExpr !== undefined,
  id,
  state,
})

/**
 * The nodes and transitions of a route, or of a model, as clients draw them (workflow-audit.md §1, graph).
 *
 * @param languages of the labels, the best first: `fr`.
 */
export const graphEntity = (
  { model, state }: Pick<Route, 'model'> & Partial<Pick<Route, 'state'>>,
  languages: readonly string[],
) => {
  const translated = translating(model, languages)
  return {
    'entity-type': 'graph' as const,
    nodes: Object.entries(model.nodes).map(([id, node]) => ({
      ...nodeEntity(id, node, state?.nodes[id]?.state ?? null),
      title: translated(node.title || id),
    })),
    transitions: Object.entries(model.nodes).flatMap(([nodeSourceId, { transitions }]) =>
      transitions.map(({ targetId, label, name, path }) => ({
        nodeSourceId,
        nodeTargetId: targetId,
        label: translated(label || name),
        path,
      })),
    ),
  }
}
