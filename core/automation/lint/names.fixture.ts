import { securityPoints } from '../../access/security/index.js'
import { directoriesPoint } from '../../content/directories/index.js'
import { convertersPoint } from '../../files/conversions/index.js'
import { buildContentModel, contentModelPoints } from '../../model/content-model/index.js'
import { type Contributions, mergeContributions, type Snapshot } from '../../platform/contributions/index.js'
import { pageProvidersPoint } from '../../search/page-providers/index.js'
import { durationsPoint, holidayCalendarsPoint } from '../business-days/index.js'
import { templatesPoint } from '../templates/index.js'
import { knownNamesRegistry } from './registry.js'
import type { KnownNames } from './types.js'

const POINTS = [
  ...contentModelPoints,
  ...securityPoints,
  directoriesPoint,
  pageProvidersPoint,
  convertersPoint,
  templatesPoint,
  ...[durationsPoint, holidayCalendarsPoint],
]

/** The content model alone is asked for. */
const snapshotOf = (contributions: Contributions) =>
  ({ get: () => buildContentModel(contributions) }) as unknown as Pick<Snapshot, 'get'>

/** The names of a configuration in YAML. */
export const namesOfYaml = (text = '{}'): KnownNames => {
  const contributions = mergeContributions([{ file: 'a.yaml', text }], POINTS)
  return knownNamesRegistry.build(contributions, snapshotOf(contributions))
}
