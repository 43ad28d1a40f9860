import { suggestion } from '../../../platform/contributions/index.js'
import type { NodeModel } from './node-schema.js'
import type { RouteModel } from './route-schema.js'
import type { Variables } from './variables.js'

/** Clients of the reference send the comment among the variables of a task. */
const COMMENT = 'comment'

const unknownAmong = (given: Variables, known: readonly string[], whose: string): string[] =>
  Object.keys(given).flatMap((name) =>
    known.includes(name)
      ? []
      : [`${whose} takes no variable "${name}", which is ignored${suggestion(name, known)}`],
  )

/** Variables of a start that the workflow does not declare: they are ignored, as the reference platform does. */
export const unknownInStart = ({ variables }: RouteModel, given: Variables): string[] =>
  unknownAmong(given, Object.keys(variables), 'the workflow')

/**
 * What the end of a task says that its node does not have: variables, which are ignored, and a button. A task ends by
 * any word, as on the reference platform: transitions may ask for it.
 */
export const unknownInCompletion = (
  { variables, globalVariables, taskButtons }: NodeModel,
  { action, given }: { action: string; given: Variables },
): string[] => {
  const buttons = taskButtons.map(({ name }) => name)
  const hasButton = buttons.length === 0 || buttons.includes(action)
  const known = [...Object.keys(variables), ...globalVariables]
  return [
    ...(hasButton ? [] : [`the task has no button "${action}"; its buttons are ${buttons.join(', ')}`]),
    ...unknownAmong(given, [...known, COMMENT], 'the task'),
  ]
}
