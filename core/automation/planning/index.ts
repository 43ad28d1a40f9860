export { deadEndsOf } from './dead-ends.js'
export {
  commitsOnItsWay,
  describePlan,
  type PlanDescription,
  type PlanPart,
  signaturesOf,
} from './describe-plan.js'
export { checkCalledParameters, checkLiteralParameters } from './literal-parameters.js'
export { isLoggedInAt } from './login-steps.js'
export type { CallNode, LoopNode, Plan, PlanNode, RetriedItems, SegmentNode } from './plan.js'
export { requireFit, requireSameNodes } from './plan-fit.js'
export {
  adoptState,
  planRun,
  planToTravel,
  type RunOrder,
  type RunRequest,
  type RunStart,
} from './plan-run.js'
export { boundaryOf, chainOfOne, committingSteps, planChain, titleOf } from './planner.js'
