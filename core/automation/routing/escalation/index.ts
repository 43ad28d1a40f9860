export { dueRules, executeRule, openTasksOf, type RuleCall, recordFailure } from './execute-rule.js'
export { candidatesOf, outlookOf } from './outlook.js'
