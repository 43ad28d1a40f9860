export type { ChainOfNode, RouteHost } from './host.js'
export { cancelMove, type EndedTask, endTaskMove, resumeMove, startMove } from './moves.js'
export {
  type NodeRun,
  type NodeState,
  newState,
  type RouteState,
  type RouteStatus,
  type RuleRun,
  type TaskInfo,
} from './state.js'
