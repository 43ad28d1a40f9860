import type { Report } from '../../../platform/contributions/index.js'
import type { ChainDefinition, Registry } from '../../language/index.js'
import { deadEndOf } from '../../planning/index.js'
import type { ChainPlaces } from '../types.js'

/** Reports the step that no input of a chain gets through to: each of its runs would fail there. */
export const checkTyping = ({
  chain: { steps },
  places,
  deployed,
  report,
}: {
  chain: ChainDefinition
  places: ChainPlaces | undefined
  deployed: Registry
  report: Report
}): void => {
  const found = deadEndOf(steps, deployed)
  if (!found) return
  const { position, received } = found
  const what = `"${steps[position]?.operation}" takes no input of type ${received}`
  const before = position === 0 ? '' : `, which the steps before it come to`
  report(
    `operations[${position}]`,
    places?.steps[position]?.at,
    `${what}${before}: no input finds a way through`,
  )
}
