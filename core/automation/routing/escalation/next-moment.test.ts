import { expect, test } from 'vitest'
import { type Moments, workflowFunctions } from './functions.js'
import { nextMoment } from './next-moment.js'

const HOUR = 3_600_000
const moments: Moments = { now: 10_000, routeStarted: 0, taskStarted: 2_000, due: 5_000, rule: undefined }
const executed = { executed: 1, executionDate: new Date(9_000).toISOString() }

/** A condition that depends on more than time is evaluated once a period, and at the moments that are known of it. */
const PERIOD = 300_000
const IN_A_PERIOD = 310_000

test.each<[string, number | null, Partial<Moments>?]>([
  [`timeSinceDueDateIsOver() >= ${HOUR}`, 5_000 + HOUR],
  ['WorkflowFn.timeSinceDueDateIsOver() > 60*60*1000', 5_000 + HOUR],
  ['@{timeSinceTaskWasStarted() >= 20000}', 22_000],
  ['20000 < timeSinceWorkflowWasStarted()', 20_000],
  ['timeSinceDueDateIsOver() > 5000', 10_001],
  ['timeSinceDueDateIsOver() > 6000 && timeSinceTaskWasStarted() > 30000', 11_000],
  ['timeSinceRuleHasBeenFalse(4000) && timeSinceDueDateIsOver() > 0', 13_000, { rule: executed }],
  ['timeSinceDueDateIsOver() > 1000', null],
  ['timeSinceDueDateIsOver() > -1000', null],
  ['timeSinceDueDateIsOver() > 0', null, { due: null }],
  ['!WorkflowFn.ruleAlreadyExecuted()', null],
  ['timeSinceDueDateIsOver() > 0 && NodeVariables["button"] == "x"', IN_A_PERIOD],
  ['timeSinceDueDateIsOver() / 2 > 1000', IN_A_PERIOD],
  ['timeSinceDueDateIsOver() >= 6000 && NodeVariables["button"] == "x"', 11_000],
  [`timeSinceDueDateIsOver() >= ${HOUR} && NodeVariables["button"] == "x"`, IN_A_PERIOD],
  ['NodeVariables["button"] == "x"', IN_A_PERIOD],
])('%s is evaluated again at %s', (condition, expected, more = {}) => {
  expect(nextMoment(condition, { ...moments, ...more }, PERIOD)).toBe(expected)
})

test.each<[Parameters<ReturnType<typeof workflowFunctions>>, string, Partial<Moments>?]>([
  [['timeSinceDueDateIsOver', undefined], '(5000)'],
  [['timeSinceDueDateIsOver', undefined], '(-1000)', { due: 11_000 }],
  [['timeSinceRuleHasBeenFalse', undefined], '(-1)'],
  [['timeSinceRuleHasBeenFalse', undefined], '(1000)', { rule: executed }],
  [['timeSinceRuleHasBeenFalse', 500], 'true'],
  [['timeSinceRuleHasBeenFalse', 500], 'true', { rule: executed }],
  [['timeSinceRuleHasBeenFalse', 5_000], 'false', { rule: executed }],
  [['ruleAlreadyExecuted', undefined], 'true', { rule: executed }],
])('%j is %s', ([name, argument], expected, more = {}) => {
  expect(workflowFunctions({ ...moments, ...more })(name, argument)).toBe(expected)
})

test('the time since a due date that there is not is refused', () => {
  expect(() => workflowFunctions({ ...moments, due: null })('timeSinceDueDateIsOver', undefined)).toThrow(
    'no task with a due date',
  )
})
