export { chainsOfRoute } from './check.js'
export { expressionSource, isMarked, productOf, type WorkflowFunction } from './expression-source.js'
export { type Graph, graphOf, type Input, nodeOf } from './graph.js'
export type { Button, EscalationRule, NodeModel, Transition } from './node-schema.js'
export type { RouteModel } from './route-schema.js'
export { routesPoint } from './routes-point.js'
export type { ScopeName } from './scope-names.js'
export { unknownInCompletion, unknownInStart } from './unknown-given.js'
export { unknownInRoute } from './unknown-names.js'
export { findVariableSchema, type VariableSchema, variableSchemas } from './variable-schemas.js'
export {
  callersVariables,
  givenVariables,
  initialVariables,
  requireSmall,
  type Variables,
} from './variables.js'
export { visualizedModels } from './visualized.js'
