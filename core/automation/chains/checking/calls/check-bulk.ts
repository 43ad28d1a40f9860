import type { PropertyValue } from '../../../../model/properties/index.js'
import { type Place, suggestion } from '../../../../platform/contributions/index.js'
import { BULK_ACTIONS, refusalOfBulk } from '../../../bulk/index.js'
import { type Callable, isExpression } from '../../../language/index.js'
import { isMap, type Values } from '../../reading/literals.js'
import type { StepCheck } from '../check-step.js'
import { callableNames } from '../targets.js'
import { checkWrittenCall, placesInMap } from './target-params.js'

const isKnown = (value: PropertyValue | undefined): boolean =>
  typeof value !== 'string' || !isExpression(value)

/** What a text says in JSON. @returns undefined when it is no JSON. */
const readJson = (text: string): PropertyValue | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type BulkCheck = StepCheck & { callable: Callable; at: Place | undefined }

/** What a step of `Bulk.RunAction` writes down: its action, and the parameters of that. */
export const writtenBulk = (
  check: BulkCheck,
): { action: string; parameters: Values | undefined } | undefined => {
  const { callable, step } = check
  const { action } = step.params
  const isBulk = callable.kind === 'operation' && callable.operation.id === 'Bulk.RunAction'
  if (!isBulk) return undefined
  const parameters = actionParameters(check)
  return typeof action === 'string' && !isExpression(action) ? { action, parameters } : undefined
}

/** Actions that run an operation, or chain, of the caller's. */
export const isAutomation = (action: string): boolean => action === 'automation' || action === 'automationUi'

/** The parameters of the action, by a map or the text of one; undefined when they are wrong or not known yet. */
const actionParameters = ({ chain, step, field, places, at, report }: BulkCheck): Values | undefined => {
  const written = step.params.parameters
  if (written === undefined && chain.params.some(({ name }) => name === 'parameters')) return undefined
  if (!isKnown(written)) return undefined
  const isAbsent = written === undefined || written === null
  if (isAbsent || (typeof written === 'string' && written.trim() === '')) return {}
  const value = typeof written === 'string' ? readJson(written) : written
  if (isMap(value)) return value
  // What is neither text nor map is of a wrong type anyway.
  if (typeof written === 'string')
    report(
      `${field}.parameters`,
      places?.params.get('parameters')?.value ?? at,
      'expected the text of a JSON object',
    )
  return undefined
}

/** What a command runs for each document, as if it were a step. */
const checkOperation = (check: BulkCheck, { operationId, parameters }: Values): void => {
  const { step, field, places, at, registry, report } = check
  if (typeof operationId !== 'string' || isExpression(operationId)) return
  const placeOf = placesInMap(places?.params.get('parameters'), at)
  const callable = registry.find(operationId)
  if (!callable) {
    const hint = suggestion(operationId, callableNames(registry))
    const message = `unknown operation "${operationId}"${hint}`
    report(`${field}.parameters.operationId`, placeOf('operationId', 'value'), message)
    return
  }
  if (parameters !== undefined && parameters !== null && !isMap(parameters)) return
  // Only the first level of a map is evaluated, and of a text nothing at all.
  const call = {
    called: operationId,
    callable,
    given: parameters ?? {},
    field: `${field}.parameters.parameters`,
  }
  const isText = typeof step.params.parameters === 'string'
  const place = placeOf(isText ? undefined : 'parameters', 'value')
  checkWrittenCall({ ...call, isGiven: () => false, placeOf: () => place }, check)
}

/** Reports mistakes in a bulk command that a step writes down (reference: automation.md §11, `Bulk.RunAction`). */
export const checkBulk = (check: BulkCheck): void => {
  const { field, places, at, report } = check
  const written = writtenBulk(check)
  if (!written) return
  const { action, parameters } = written
  if (!BULK_ACTIONS.includes(action)) {
    const message = `unknown bulk action "${action}"${suggestion(action, BULK_ACTIONS)}`
    report(`${field}.action`, places?.params.get('action')?.value ?? at, message)
    return
  }
  if (!parameters) return
  const refusal = Object.values(parameters).every(isKnown) ? refusalOfBulk(action, parameters) : undefined
  if (refusal) report(`${field}.parameters`, places?.params.get('parameters')?.value ?? at, refusal)
  if (isAutomation(action)) checkOperation(check, parameters)
}
