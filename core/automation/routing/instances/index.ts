export {
  type Completion,
  completeTask,
  completeTaskOf,
  delegateTask,
  type Handover,
  hasHadTask,
  reassignTask,
} from './act-on-task.js'
export { runChainAt, setChanged } from './chain-variables.js'
export { emitEscalated } from './events.js'
export { graphEntity } from './graph-entity.js'
export {
  listRunning,
  loadBriefly,
  loadRoute,
  loadRoutes,
  modelOfRoute,
  type Route,
  saveRoute,
  storedRoute,
} from './instance.js'
export { grantsListener, limitGrants } from './limit-grants.js'
export { createLooseTasks } from './loose-tasks.js'
export {
  beginRoute,
  cancelRoute,
  holdRoute,
  resumeNode,
  setRouteVariables,
} from './move-route.js'
export { purgeRoute } from './purge-route.js'
export { isRunnableOn } from './runnable.js'
export { isTrueIn, type Place, scopeOf, type WorkflowFunctions } from './scope.js'
export { createRoute, getRouteModel, type RouteToStart } from './start-route.js'
