import type { Report } from '../../../platform/contributions/index.js'
import type { ChainDefinition, ChainStep, Registry } from '../../language/index.js'
import { deadEndsOf } from '../../planning/index.js'
import { fieldOfStep } from '../fields.js'
import type { ChainPlaces } from '../types.js'

const indexOf = ({ at }: ChainStep): number | undefined => {
  const found = /\[(\d+)\]$/.exec(at?.field ?? '')?.[1]
  return found === undefined ? undefined : Number(found)
}

/** Steps that could not be read have left their places free. */
const isAfter = (step: ChainStep, before: ChainStep): boolean => {
  const [own, other] = [indexOf(step), indexOf(before)]
  return own === undefined || other === undefined || own === other + 1
}

/** Reports the steps that no input of a chain gets through to: each of its runs would fail there. */
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
  for (const { position, received, giver } of deadEndsOf(steps, deployed, isAfter)) {
    const [step, by] = [steps[position]!, giver === undefined ? undefined : steps[giver]]
    const source =
      by && giver !== undefined ? `, which "${by.operation}" (${fieldOfStep(by, giver)}) gives` : ''
    report(
      fieldOfStep(step, position),
      places?.steps[position]?.at,
      `"${step.operation}" takes no input of type ${received}${source}: no input finds a way through`,
    )
  }
}
