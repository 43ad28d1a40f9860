import { fail } from '../../../platform/errors/index.js'
import type { RuleRun } from '../graph/index.js'
import type { WorkflowFunctions } from '../instances/index.js'
import type { WorkflowFunction } from '../model/index.js'

/** Moments that the functions of a rule measure from, ms since 1970. */
export type Moments = {
  now: number
  routeStarted: number
  taskStarted: number | null
  due: number | null
  rule: RuleRun | undefined
}

const executedAt = ({ rule }: Moments): number | null =>
  rule?.executionDate ? Date.parse(rule.executionDate) : null

/** The moment from which a function counts; null where it counts from none. */
export const startOf = (name: WorkflowFunction, moments: Moments): number | null => {
  switch (name) {
    case 'timeSinceWorkflowWasStarted':
      return moments.routeStarted
    case 'timeSinceTaskWasStarted':
      return moments.taskStarted
    case 'timeSinceDueDateIsOver':
      return moments.due
    default:
      return executedAt(moments)
  }
}

/**
 * What the functions of `WorkflowFn` come to at a moment (workflow-audit.md §2, Escalation). With an argument
 * `timeSinceRuleHasBeenFalse` says whether so many milliseconds have passed since the last execution, or there was none.
 *
 * @throws operationFailed for the time since a due date that the node does not have.
 */
export const workflowFunctions =
  (moments: Moments): WorkflowFunctions =>
  (name, argument) => {
    if (name === 'ruleAlreadyExecuted') return String((moments.rule?.executed ?? 0) > 0)
    const start = startOf(name, moments)
    const passed = start === null ? null : moments.now - start
    if (name === 'timeSinceRuleHasBeenFalse' && argument !== undefined)
      return String(passed === null || passed >= argument)
    if (passed !== null) return `(${passed})`
    if (name === 'timeSinceRuleHasBeenFalse') return '(-1)'
    throw fail('operationFailed', `${name}: the node has no task with a due date`)
  }
