export { type Completion, completeTask, delegateTask, type Handover, reassignTask } from './act-on-task.js'
export { graphEntity } from './graph-entity.js'
export { runChainAt, setChanged } from './host.js'
export { listRunning, loadRoute, loadRoutes, type Route, storedRoute } from './instance.js'
export { createLooseTasks } from './loose-tasks.js'
export {
  beginRoute,
  cancelRoute,
  holdRoute,
  resumeNode,
  setRouteVariables,
} from './move-route.js'
export { isRunnableOn } from './runnable.js'
export { isTrueIn, type Place, scopeOf, type WorkflowFunctions } from './scope.js'
export { createRoute, getRouteModel, type RouteToStart } from './start-route.js'
