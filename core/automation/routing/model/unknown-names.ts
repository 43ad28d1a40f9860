import { type Finding, suggestion } from '../../../platform/contributions/index.js'
import { namesIn, PLATFORM_NAMES, referencesIn } from '../../../platform/sandbox/expressions/index.js'
import { type KnownNames, unknownDurations } from '../../lint/index.js'
import { expressionsOf } from './check.js'
import { expressionSource, isMarked, WORKFLOW_FUNCTIONS } from './expression-source.js'
import type { NodeModel } from './node-schema.js'
import type { RouteModel } from './route-schema.js'
import { SCOPE_NAMES } from './scope-names.js'

/** What nodes know beside the variables that they declare. */
const OF_EVERY_NODE = [
  ...['button', 'tasks', 'tasksAsHtml'],
  ...['numberOfTasks', 'numberOfProcessedTasks', 'endedWithStatus'],
]

const BUTTON = /NodeVariables\s*(?:\[\s*["']button["']\s*\]|\.button)\s*[!=]=\s*["']([^"']*)["']/g

const unknownVariables = (source: string, node: NodeModel, { variables }: RouteModel): string[] => {
  const known: { readonly [holder: string]: readonly string[] } = {
    WorkflowVariables: Object.keys(variables),
    NodeVariables: [...Object.keys(node.variables), ...OF_EVERY_NODE],
  }
  const nouns: { readonly [holder: string]: string } = {
    WorkflowVariables: 'workflow',
    NodeVariables: 'node',
  }
  return referencesIn(source, Object.keys(known)).flatMap(({ holder, key, isCall }) => {
    const names = known[holder] ?? []
    if (isCall || names.includes(key)) return []
    return [
      `${holder}["${key}"]: the ${nouns[holder]} declares no variable "${key}"${suggestion(key, names)}`,
    ]
  })
}

const KNOWN = [...PLATFORM_NAMES, ...SCOPE_NAMES, ...WORKFLOW_FUNCTIONS, 'WorkflowFn']

/** Names of expressions that are almost those of something, and of nothing that is there. */
const misspelledNames = (source: string): string[] =>
  [...new Set(namesIn(source).map(({ name }) => name))].flatMap((name) => {
    if (KNOWN.includes(name) || name in globalThis) return []
    const hint = suggestion(name, KNOWN)
    return hint === '' ? [] : [`there is no "${name}"${hint}`]
  })

const unknownButtons = (source: string, { hasTask, taskButtons }: NodeModel): string[] => {
  const names = taskButtons.map(({ name }) => name)
  if (!hasTask || names.length === 0) return []
  return [...source.matchAll(BUTTON)].flatMap(([, button = '']) =>
    names.includes(button) ? [] : [`its task has no button "${button}"${suggestion(button, names)}`],
  )
}

/** The model that a node names as its sub-workflow, where there is none. */
const unknownModel = ({ subRouteModelExpr: name }: NodeModel, models: readonly string[]): string[] => {
  if (name === undefined || isMarked(name) || models.includes(name)) return []
  const hint = suggestion(name, models)
  return [`there is no workflow "${name}"${hint || '; an expression stands after expr:'}`]
}

/**
 * Variables that expressions of a model read and nothing declares, so that they are null, names that are misspelled, buttons that its tasks do not
 * have, durations of business days that nobody contributes, and models of sub-workflows that are not there. Findings, not refusals: clients may end a task by any word.
 *
 * @param models names of all models, itself among them.
 */
export const unknownInRoute = (
  model: RouteModel,
  { names, models }: { names: KnownNames; models: readonly string[] },
): Finding[] =>
  Object.entries(model.nodes).flatMap(([id, node]) => [
    ...unknownModel(node, models).map((message) => ({ path: ['nodes', id, 'subRouteModelExpr'], message })),
    ...expressionsOf(node).flatMap(([path, text]) => {
      const source = text === undefined ? '' : expressionSource(text)
      const durations = unknownDurations(source, names).map(({ message }) => message)
      const found = [
        ...unknownVariables(source, node, model),
        ...misspelledNames(source),
        ...unknownButtons(source, node),
        ...durations,
      ]
      return found.map((message) => ({ path: ['nodes', id, ...path], message }))
    }),
  ])
