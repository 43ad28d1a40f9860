import type { Finding } from '../../../platform/contributions/index.js'
import { refusalOfSource } from '../../../platform/sandbox/expressions/index.js'
import { expressionSource, isMarked } from './expression-source.js'
import { reachedFrom, startOf } from './graph.js'
import type { NodeModel } from './node-schema.js'
import type { RouteModel } from './route-schema.js'

type Path = Finding['path']

const duplicates = (names: readonly string[]): number[] =>
  names.flatMap((name, index) => (names.indexOf(name) < index ? [index] : []))

/** Expressions of a node, by where they stand. */
export const expressionsOf = (node: NodeModel): [Path, string | undefined][] => [
  [['taskAssigneesExpr'], node.taskAssigneesExpr],
  [['taskDueDateExpr'], node.taskDueDateExpr],
  [['subRouteModelExpr'], prefixed(node.subRouteModelExpr)],
  ...node.transitions.map(({ condition }, at): [Path, string] => [
    ['transitions', at, 'condition'],
    condition,
  ]),
  ...node.taskButtons.map(({ filter }, at): [Path, string | undefined] => [
    ['taskButtons', at, 'filter'],
    filter,
  ]),
  ...node.escalationRules.map(({ condition }, at): [Path, string] => [
    ['escalationRules', at, 'condition'],
    condition,
  ]),
  ...node.subRouteVariables.map(({ value }, at): [Path, string | undefined] => [
    ['subRouteVariables', at, 'value'],
    prefixed(value),
  ]),
]

/** Only what is marked as an expression is one. */
const prefixed = (text: string | undefined): string | undefined =>
  text !== undefined && isMarked(text) ? text : undefined

const findingsOfExpressions = (expressions: readonly [Path, string | undefined][]): Finding[] =>
  expressions.flatMap(([path, text]) => {
    const refusal = text ? refusalOfSource(expressionSource(text)) : undefined
    return refusal === undefined ? [] : [{ path, message: refusal }]
  })

const findingsOfNode = (id: string, { nodes, variables }: RouteModel): Finding[] => {
  const node = nodes[id]!
  const { transitions, stop, hasTask, taskAssignees, taskAssigneesExpr, subRouteModelExpr } = node
  const findings: Finding[] = findingsOfExpressions(expressionsOf(node))
  const add = (path: Path, message: string): void => void findings.push({ path, message })
  transitions.forEach(({ targetId }, at) => {
    if (!Object.hasOwn(nodes, targetId))
      add(['transitions', at, 'targetId'], `the route has no node "${targetId}"`)
  })
  const repeated = (field: 'transitions' | 'taskButtons' | 'escalationRules'): void => {
    for (const at of duplicates(node[field].map(({ name }) => name)))
      add([field, at, 'name'], `"${node[field][at]?.name}" stands here twice`)
  }
  repeated('transitions')
  repeated('taskButtons')
  repeated('escalationRules')
  if (!stop && transitions.length === 0)
    add(['transitions'], 'a dead end: a node that does not stop the route needs a way out')
  if (stop && transitions.length > 0) add(['transitions'], 'a node that stops the route has no way out')
  if (hasTask && taskAssignees.length === 0 && taskAssigneesExpr === undefined)
    add(['taskAssignees'], 'is missing: a task needs taskAssignees or taskAssigneesExpr')
  if (hasTask && subRouteModelExpr !== undefined)
    add(['subRouteModelExpr'], 'a node has a task or a sub-workflow, not both')
  node.globalVariables.forEach((name, at) => {
    if (!Object.hasOwn(variables, name)) add(['globalVariables', at], `the route has no variable "${name}"`)
  })
  return findings.map((finding) => ({ ...finding, path: ['nodes', id, ...finding.path] }))
}

/** Nodes from which no node that stops the route can be reached. */
const withoutEnd = ({ nodes }: RouteModel): string[] =>
  Object.keys(nodes).filter(
    (id) =>
      ![...reachedFrom(nodes, id)].some((reached) => nodes[reached]?.stop) &&
      nodes[id]!.transitions.length > 0,
  )

/** What is wrong with a model by itself: its graph, and its expressions. */
export const findingsOfRoute = (model: RouteModel): Finding[] => {
  const { nodes, availabilityFilter } = model
  const ids = Object.keys(nodes)
  const starts = ids.filter((id) => nodes[id]!.start)
  const findings = [
    ...findingsOfExpressions([[['availabilityFilter'], availabilityFilter]]),
    ...ids.flatMap((id) => findingsOfNode(id, model)),
  ]
  if (starts.length === 0) findings.push({ path: ['nodes'], message: 'no node has start: true' })
  for (const id of starts.slice(1))
    findings.push({ path: ['nodes', id, 'start'], message: `"${starts[0]}" is the start already` })
  const start = startOf(model)
  const reached = start === undefined ? new Set(ids) : reachedFrom(nodes, start)
  for (const id of ids.filter((each) => !reached.has(each)))
    findings.push({ path: ['nodes', id], onKey: true, message: `"${id}" cannot be reached from "${start}"` })
  for (const id of withoutEnd(model))
    findings.push({ path: ['nodes', id], onKey: true, message: `no way leads from "${id}" to a stop` })
  return findings
}

/** Chains that a model names, by where they stand. */
export const chainsOfRoute = ({ nodes }: RouteModel): { path: Path; chain: string }[] =>
  Object.entries(nodes).flatMap(([id, { inputChain, outputChain, transitions, escalationRules }]) =>
    [
      { path: ['inputChain'], chain: inputChain },
      { path: ['outputChain'], chain: outputChain },
      ...transitions.map(({ chain }, at) => ({ path: ['transitions', at, 'chain'], chain })),
      ...escalationRules.map(({ chain }, at) => ({ path: ['escalationRules', at, 'chain'], chain })),
    ].flatMap(({ path, chain }) => (chain ? [{ path: ['nodes', id, ...path], chain }] : [])),
  )
