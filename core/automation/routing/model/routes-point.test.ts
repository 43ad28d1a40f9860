import { expect, test } from 'vitest'
import { mergeContributions } from '../../../platform/contributions/index.js'
import { namesOfYaml } from '../../lint/names.fixture.js'
import { chainsOfRoute, expressionSource, routesPoint, unknownInRoute } from './index.js'

const merged = (text: string) => mergeContributions([{ file: 'r.yaml', text }], [routesPoint])

const GOOD = `routes:
  r:
    variables: { index: { type: integer, default: 0 } }
    nodes:
      a:
        start: true
        transitions: [{ name: go, targetId: b, condition: 'WorkflowVariables["index"] == 0', chain: c }]
      b: { stop: true, inputChain: d }`

test('a model is read with its defaults, and names its chains', () => {
  const model = merged(GOOD).get(routesPoint).get('r')!
  expect(model.nodes.a).toMatchObject({ taskDocType: 'RoutingTask', hasTask: false, escalationRules: [] })
  expect(chainsOfRoute(model)).toEqual([
    { path: ['nodes', 'a', 'transitions', 0, 'chain'], chain: 'c' },
    { path: ['nodes', 'b', 'inputChain'], chain: 'd' },
  ])
})

const way = '{ name: go, targetId: b }'

test.each([
  ['a: { start: true, transitions: [{ name: go, targetId: c }] }', 'the route has no node "c"'],
  ['a: { start: true }', 'a dead end'],
  [`a: { transitions: [${way}] }`, 'no node has start: true'],
  [`a: { start: true, transitions: [${way}] }, c: { stop: true }`, '"c" cannot be reached from "a"'],
  [
    'a: { start: true, transitions: [{ name: go, targetId: c }, { name: stop, targetId: b }] }, c: { transitions: [{ name: c, targetId: c }] }',
    'no way leads from "c" to a stop',
  ],
  [`a: { start: true, hasTask: true, transitions: [${way}] }`, 'a task needs taskAssignees'],
  [`a: { start: true, transitions: [${way}, ${way}] }`, '"go" stands here twice'],
  [`a: { start: true, globalVariables: [x], transitions: [${way}] }`, 'the route has no variable "x"'],
  [
    'a: { start: true, transitions: [{ name: go, targetId: b, condition: "1 +" }] }',
    'transitions[0].condition: Expression "1 +" cannot be read',
  ],
  [`a: { start: true, unknown: 1, transitions: [${way}] }`, 'unknown'],
])('of %s it says %s, with the place', (node, message) => {
  const text = `routes:\n  r:\n    nodes: { b: { stop: true }, ${node} }`
  expect(() => merged(text)).toThrow(message)
  expect(() => merged(text)).toThrow(/r\.yaml:3:\d+/)
})

/** Where `§` stands the finding is. */
test.each<[string, string[]]>([
  [
    'a target that is not there',
    [
      'a: { start: true, transitions: [{ name: go, targetId: §c }, { name: b, targetId: b }] }',
      'b: { stop: true }',
    ],
  ],
  ['a dead end', ['§a:', '  start: true', '  title: A']],
  [
    'a node that cannot be reached',
    [
      'a: { start: true, transitions: [{ name: go, targetId: b }] }',
      'b: { stop: true }',
      '§c:',
      '  stop: true',
    ],
  ],
  [
    'a node without a way to the end',
    [
      'a:',
      '  start: true',
      '  transitions:',
      '  - { name: go, targetId: c }',
      '  - { name: stop, targetId: b }',
      'b: { stop: true }',
      '§c:',
      '  transitions: [{ name: again, targetId: c }]',
    ],
  ],
  [
    'a condition',
    [
      'a:',
      '  start: true',
      '  transitions:',
      '  - name: go',
      '    targetId: b',
      '    condition: §"1 +"',
      'b: { stop: true }',
    ],
  ],
  [
    'the condition of a rule',
    [
      'a:',
      '  start: true',
      '  hasTask: true',
      '  taskAssignees: [ann]',
      '  escalationRules:',
      '  - name: late',
      '    condition: §timeSinceDueDateIsOver( > 1',
      '    chain: c',
      '  transitions: [{ name: go, targetId: b }]',
      'b: { stop: true }',
    ],
  ],
  [
    'assignees',
    [
      'a:',
      '  start: true',
      '  hasTask: true',
      '  taskAssigneesExpr: §a b',
      '  transitions: [{ name: go, targetId: b }]',
      'b: { stop: true }',
    ],
  ],
  [
    'a repeated transition',
    [
      'a:',
      '  start: true',
      '  transitions:',
      '  - { name: go, targetId: b }',
      '  - { name: §go, targetId: b }',
      'b: { stop: true }',
    ],
  ],
  [
    'a variable that is not declared',
    [
      'a:',
      '  start: true',
      '  globalVariables:',
      '  - §x',
      '  transitions: [{ name: go, targetId: b }]',
      'b: { stop: true }',
    ],
  ],
  [
    'a second start',
    [
      'a:',
      '  start: true',
      '  transitions: [{ name: go, targetId: b }]',
      'b:',
      '  start: §true',
      '  stop: true',
    ],
  ],
])('%s is reported with line and column', (_, nodes) => {
  const marked = ['routes:', '  r:', '    nodes:', ...nodes.map((line) => `      ${line}`)]
  const line = marked.findIndex((each) => each.includes('§'))
  const place = `r.yaml:${line + 1}:${marked[line]!.indexOf('§') + 1} `
  expect(() => merged(marked.join('\n').replace('§', ''))).toThrow(place)
})

test.each([
  ['WorkflowFn.timeSinceDueDateIsOver() > 60*60*1000', 'timeSinceDueDateIsOver|undefined > 60*60*1000'],
  ['@{timeSinceRuleHasBeenFalse(60 * 1000)}', 'timeSinceRuleHasBeenFalse|60000'],
  ['expr:WorkflowFn.ruleAlreadyExecuted()', 'ruleAlreadyExecuted|undefined'],
  [
    'NodeVariables["tasks"].getNumberEndedWithStatus("approve") > 1',
    'NodeVariables["endedWithStatus"]["approve"] > 1',
  ],
])('%s is read by the sandbox as %s', (text, expected) => {
  expect(expressionSource(text, (name, argument) => `${name}|${argument}`)).toBe(expected)
})

test('what a model reads and does not declare is reported, with its place', () => {
  const review = `review:
        hasTask: true
        variables: { note: {} }
        taskAssigneesExpr: WorkflowVariables["reviewer"]
        taskDueDateExpr: CurrentDate.businessDays("revew")
        taskButtons: [{ name: approve }]
        transitions:
        - { name: ok, targetId: b, condition: 'NodeVariables["button"] == "aprove" || NodeVariables["notes"] == null' }
        - { name: no, targetId: b, condition: 'NodeVariables["button"] == "approve" && NodeVariables["note"] != "" && NodeVariables["numberOfTasks"] > 0' }`
  const text = `routes:
  r:
    variables: { reviewers: { type: list } }
    nodes:
      a: { start: true, transitions: [{ name: go, targetId: review }] }
      ${review}
      b: { stop: true }`
  const findings = unknownInRoute(merged(text).get(routesPoint).get('r')!, {
    names: namesOfYaml('durations: { review: { numberOfDays: 3 } }'),
    models: [],
  })
  expect(findings.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([
    'nodes.review.taskAssigneesExpr: WorkflowVariables["reviewer"]: the workflow declares no variable "reviewer", did you mean "reviewers"?',
    'nodes.review.taskDueDateExpr: the date is null: there is no duration of business days "revew", did you mean "review"?',
    'nodes.review.transitions.0.condition: NodeVariables["notes"]: the node declares no variable "notes", did you mean "note"?',
    'nodes.review.transitions.0.condition: its task has no button "aprove", did you mean "approve"?',
  ])
})

test('names that are almost those of something are reported', () => {
  const text = `routes:
  r:
    nodes:
      a:
        start: true
        hasTask: true
        taskAssigneesExpr: WorkflowVariabls["reviewers"]
        taskDueDateExpr: CurentDate.days(5)
        escalationRules: [{ name: late, condition: timeSinceDueDateOver() > 0 && nodeId == Math.PI, chain: c }]
        transitions: [{ name: go, targetId: b }]
      b: { stop: true }`
  const findings = unknownInRoute(merged(text).get(routesPoint).get('r')!, {
    names: namesOfYaml(''),
    models: [],
  })
  expect(findings.map(({ message }) => message)).toEqual([
    'there is no "WorkflowVariabls", did you mean "WorkflowVariables"?',
    'there is no "CurentDate", did you mean "CurrentDate"?',
    'there is no "timeSinceDueDateOver", did you mean "timeSinceDueDateIsOver"?',
  ])
})

test.each([
  ['child-wf', []],
  ['expr:WorkflowVariables["m"]', []],
  ['@{WorkflowVariables["m"]}', []],
  ['child-wff', ['there is no workflow "child-wff", did you mean "child-wf"?']],
  [
    'WorkflowVariables["m"]',
    ['there is no workflow "WorkflowVariables["m"]"; an expression stands after expr:'],
  ],
  ['@{nowhere(}', ['nodes.a.subRouteModelExpr']],
])('a sub-workflow %s is named or reported', (written, expected) => {
  const text = `routes:
  r:
    variables: { m: {} }
    nodes:
      a: { start: true, subRouteModelExpr: ${JSON.stringify(written)}, transitions: [{ name: go, targetId: b }] }
      b: { stop: true }`
  if (written.startsWith('@{nowhere')) return expect(() => merged(text)).toThrow(expected[0])
  const findings = unknownInRoute(merged(text).get(routesPoint).get('r')!, {
    names: namesOfYaml(''),
    models: ['child-wf', 'r'],
  })
  expect(findings.map(({ message }) => message)).toEqual(expected)
})
