import type { Principal } from '../../../access/security/index.js'
import type { Contributions } from '../../../platform/contributions/index.js'
import { routesPoint } from './routes-point.js'

/** Ids of the models whose figures somebody may see (workflow-audit.md §3). */
export const visualizedModels = ({
  principal: { identities },
  contributions,
}: {
  principal: Pick<Principal, 'identities'>
  contributions: Contributions
}): string[] =>
  [...contributions.get(routesPoint)].flatMap(([id, { dataVisualization }]) =>
    dataVisualization.some((name) => identities.includes(name)) ? [id] : [],
  )
