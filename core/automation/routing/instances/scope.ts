import { normalizeDate, type PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { jsonOf, type OperationContext, type Value, type Variables, VOID } from '../../language/index.js'
import type { NodeRun } from '../graph/index.js'
import { expressionSource, isMarked, type ScopeName, type WorkflowFunction } from '../model/index.js'
import type { Route } from './instance.js'

/** Where in a route something is evaluated, and what is known there beside its state. */
export type Place = {
  route: Route
  node?: string
  transition?: string
  /** Due date of the open task, ISO 8601. */
  due?: string | null
  comment?: string
  /** The route is on its way: nothing else may move it in this transaction. */
  isMoving?: boolean
}

/** The variable of chains by which they know which route moves. */
export const MOVING = 'workflowMoving'

const dateValue = (date: Date | string | null): Value =>
  date === null ? VOID : { type: 'date', value: new Date(date).toISOString() }

const text = (value: string | null | undefined): Value =>
  value === null || value === undefined ? VOID : { type: 'string', value }

/** Tasks that ended with each button. */
const endedWithStatus = ({ tasks }: NodeRun, buttons: readonly string[]): { [status: string]: number } =>
  Object.fromEntries(
    buttons.map((button) => [button, tasks.filter(({ ended, status }) => ended && status === button).length]),
  )

const escaped = (value: string | null): string =>
  (value ?? '').replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

/** Who has ended the tasks of a node, how, and with which comment. */
const tasksAsHtml = ({ tasks }: NodeRun): string => {
  const items = tasks
    .filter(({ ended, status }) => ended && status !== null)
    .map(({ actor, status, comment }) => {
      const said = comment ? ` - ${escaped(comment)}` : ''
      return `<li>${escaped(actor)}: ${escaped(status)}${said}</li>`
    })
  return `<ul>${items.join('')}</ul>`
}

/** The variables of a node, and what is known about its tasks beside them. */
export const nodeVariables = ({ model, state }: Route, id: string): { [name: string]: PropertyValue } => {
  const run = state.nodes[id]
  if (!run) return {}
  return {
    ...run.variables,
    button: run.button,
    numberOfTasks: run.tasks.length,
    numberOfProcessedTasks: run.tasks.filter(({ ended }) => ended).length,
    tasks: run.tasks.map(({ formerActors: _, ...task }) => task),
    tasksAsHtml: tasksAsHtml(run),
    endedWithStatus: endedWithStatus(
      run,
      (model.nodes[id]?.taskButtons ?? []).map(({ name }) => name),
    ),
  }
}

export const documentsOf = ({ documentIds }: Route): Value => ({ type: 'documents', ids: documentIds })

/** What expressions and chains of a route know (workflow-audit.md §2, Expressions). */
export const scopeOf = ({ route, node, transition, due, comment, isMoving }: Place): Variables => {
  const run = node === undefined ? undefined : route.state.nodes[node]
  const state = text(run?.state)
  const named: { readonly [name in ScopeName]: Value } = {
    WorkflowVariables: { type: 'json', value: { ...route.state.variables } },
    NodeVariables: { type: 'json', value: node === undefined ? {} : nodeVariables(route, node) },
    workflowInitiator: text(route.initiator),
    workflowStartTime: dateValue(route.startedAt),
    workflowParent: text(route.parentId),
    workflowParentNode: text(route.parentNode),
    workflowInstanceId: text(route.id),
    WorkflowId: text(route.id),
    taskDueTime: dateValue(due ?? null),
    workflowDocuments: documentsOf(route),
    documents: documentsOf(route),
    nodeId: text(node),
    nodeState: state,
    state,
    nodeStartTime: dateValue(run?.startDate ?? null),
    nodeEndTime: dateValue(run?.endDate ?? null),
    nodeLastActor: text(run?.lastActor),
    comment: text(comment ?? ''),
    transition: text(transition),
  }
  return { ...named, ...(isMoving && { [MOVING]: text(route.id) }) }
}

/** Answers calls of `WorkflowFn`: literals. */
export type WorkflowFunctions = (name: WorkflowFunction, argument: number | undefined) => string

/** Beyond a million days the sandbox says what it thinks of it. */
const LATER = /^CurrentDate\.(days|weeks)\((-?\d{1,6})\)$/
const DAYS = { days: 1, weeks: 7 }
const DAY_MS = 86_400_000

/** A day has 24 hours there: dates are in UTC. */
const laterDate = (source: string, now: Date): Value | undefined => {
  const [, unit, count] = LATER.exec(source) ?? []
  if (unit === undefined) return undefined
  const days = DAYS[unit as keyof typeof DAYS] * Number(count)
  return { type: 'date', value: new Date(now.getTime() + days * DAY_MS).toISOString() }
}

const COMPARED = /^\(?(-?\d{1,15})\)?\s*(>=|<=|>|<)\s*(-?\d{1,15})$/

/**
 * What most models evaluate with each move, without the sandbox, which takes longer than a statement of the database:
 * `true` and `false`, a text by its name, times that are compared, and the date in so many days.
 */
export const plainValue = (
  source: string,
  { variables, now }: { variables: Variables; now: Date },
): Value | undefined => {
  if (source === 'true' || source === 'false') return { type: 'boolean', value: source === 'true' }
  const named = Object.hasOwn(variables, source) ? variables[source] : undefined
  if (named?.type === 'string') return named
  const [, left, sign = '', right] = COMPARED.exec(source) ?? []
  if (left === undefined) return laterDate(source, now)
  const difference = Number(left) - Number(right)
  if (difference === 0) return { type: 'boolean', value: sign.endsWith('=') }
  return { type: 'boolean', value: difference > 0 === sign.startsWith('>') }
}

/** The value of an expression of a route, whoever asks. */
export const evaluateIn = async (
  context: OperationContext,
  { place, expression, functions }: { place: Place; expression: string; functions?: WorkflowFunctions },
): Promise<Value> => {
  const source = expressionSource(expression, functions)
  const variables = scopeOf(place)
  const plain = plainValue(source, { variables, now: context.session.now })
  if (plain) return plain
  return context.evaluate(source, { input: documentsOf(place.route), variables, isDeployed: true })
}

/** @throws operationFailed when the condition gives neither true nor false. */
export const isTrueIn = async (
  context: OperationContext,
  asked: { place: Place; expression: string; functions?: WorkflowFunctions; what: string },
): Promise<boolean> => {
  const value = jsonOf(await evaluateIn(context, asked))
  if (typeof value === 'boolean') return value
  throw fail('operationFailed', `${asked.what}: the condition gives neither true nor false`)
}

/** The text of a field in which only what is marked as an expression is one: see `isMarked`. */
export const textIn = async (
  context: OperationContext,
  place: Place,
  written: string,
): Promise<PropertyValue> =>
  isMarked(written) ? jsonOf(await evaluateIn(context, { place, expression: written })) : written

/** The actors that an expression names. @throws conflict for anything but texts: variables that callers set decide. */
export const actorsIn = async (
  context: OperationContext,
  place: Place,
  expression: string,
): Promise<string[]> => {
  const found = jsonOf(await evaluateIn(context, { place, expression }))
  const listed = Array.isArray(found) ? found : [found]
  if (listed.every((actor) => typeof actor === 'string' && actor !== '')) return listed as string[]
  throw fail('conflict', `Node ${place.node}: taskAssigneesExpr gives no names of users or groups`)
}

/** The moment that an expression gives, ISO 8601; now where there is none. @throws operationFailed for no date. */
export const dueDateIn = async (
  context: OperationContext,
  place: Place,
  expression: string | undefined,
): Promise<string> => {
  const { now } = context.session
  if (expression === undefined) return now.toISOString()
  const found = jsonOf(await evaluateIn(context, { place, expression }))
  const date =
    typeof found === 'number'
      ? new Date(found).toISOString()
      : typeof found === 'string'
        ? normalizeDate(found)
        : undefined
  if (date === undefined) throw fail('operationFailed', `Node ${place.node}: taskDueDateExpr gives no date`)
  return date
}
