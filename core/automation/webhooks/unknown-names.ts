import { namesInConditions } from '../../model/nxql/index.js'
import type { Finding } from '../../platform/contributions/index.js'
import { type KnownNames, unknownName } from '../lint/index.js'
import type { Webhook } from './webhooks-point.js'

/**
 * Types of a webhook, and names of its condition, that nothing configured has: no event passes them by now. Findings, not
 * refusals: all of it may still be deployed.
 */
export const unknownInWebhook = (
  { types, condition }: Pick<Webhook, 'types' | 'condition'>,
  names: KnownNames,
): Finding[] => {
  const ofTypes = types.map((type) => ({ field: 'types', message: unknownName('documentType', type, names) }))
  const ofCondition = (condition === undefined ? [] : namesInConditions(condition)).map(({ kind, name }) => ({
    field: 'condition',
    message: unknownName(kind, name, names),
  }))
  return [...ofTypes, ...ofCondition].flatMap(({ field, message }) =>
    message === undefined ? [] : [{ path: [field], message }],
  )
}
