import { jsonOf, type OperationContext, type Variables } from '../../language/index.js'
import { givenVariables, type Variables as RouteVariables } from '../model/index.js'
import type { Route } from './instance.js'
import { documentsOf, nodeVariables, type Place, scopeOf } from './scope.js'

const mapOf = (variables: Variables, name: string): RouteVariables => {
  const value = variables[name] ? jsonOf(variables[name]) : null
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RouteVariables) : {}
}

/** Variables of a route and of its node that a chain has set. */
type ChangedVariables = { workflow: RouteVariables; node: RouteVariables }

const changedIn = (before: RouteVariables, after: RouteVariables): RouteVariables =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value)),
  )

/** Runs a chain at a place. @returns what it has set, for `setChanged`. */
export const runChainAt = async (
  context: OperationContext,
  place: Place & { node: string },
  chain: string,
): Promise<ChangedVariables> => {
  const given = scopeOf(place)
  // It acts with every right: what whoever moves the route has set is none of its variables.
  const inside = context.within({ variables: { ...given } })
  await inside.run({ id: chain, input: documentsOf(place.route), isolate: false })
  const changed = (name: string): RouteVariables =>
    changedIn(mapOf(given, name), mapOf(inside.variables, name))
  return { workflow: changed('WorkflowVariables'), node: changed('NodeVariables') }
}

/** Takes over what a chain has set of the variables that the model declares. */
export const setChanged = ({ model, state }: Route, id: string, changed: ChangedVariables): void => {
  Object.assign(state.variables, givenVariables(model.variables, changed.workflow))
  const [node, run] = [model.nodes[id], state.nodes[id]]
  if (node && run) Object.assign(run.variables, givenVariables(node.variables, changed.node))
}

/** The node whose chain acts on its own route, as one of a rule does: any caller of another may send variables. */
const ownNode = ({ isOfProduct, variables }: OperationContext, { id }: Route): string | undefined => {
  const { workflowInstanceId, nodeId } = variables
  if (!isOfProduct || !variables.WorkflowVariables) return undefined
  if (workflowInstanceId?.type !== 'string' || workflowInstanceId.value !== id) return undefined
  return nodeId?.type === 'string' ? nodeId.value : undefined
}

/** Takes over what the chain of a rule has set so far, so that the move that it asks for knows it. */
export const takeSet = (context: OperationContext, route: Route): void => {
  const node = ownNode(context, route)
  if (node === undefined) return
  const { variables } = context
  setChanged(route, node, {
    workflow: changedIn(route.state.variables, mapOf(variables, 'WorkflowVariables')),
    node: changedIn(nodeVariables(route, node), mapOf(variables, 'NodeVariables')),
  })
}

/** Shows the variables of a route that has changed to the chain of a rule, which would undo the change otherwise. */
export const showChanged = (context: OperationContext, route: Route): void => {
  const node = ownNode(context, route)
  if (node === undefined) return
  const { WorkflowVariables, NodeVariables } = scopeOf({ route, node })
  Object.assign(context.variables, { WorkflowVariables, NodeVariables })
}
