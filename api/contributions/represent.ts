import type {
  ContributionFormat,
  DeployedVersion,
  Deployment,
  Planned,
  PointHandler,
} from '../../core/platform/contributions/index.js'
import { etagOf } from './etag.js'

/** A version without its content, as lists and responses to a deployment show it. */
export const contributionEntity = (handler: PointHandler, version: DeployedVersion) => ({
  'entity-type': handler.entityType,
  id: version.name,
  version: version.version,
  etag: etagOf(version.version),
  ...(version.author !== undefined && { author: version.author }),
  ...(version.createdAt && { created: version.createdAt.toISOString() }),
  format: version.format,
  ...(version.isDeleted && { deleted: true }),
  ...handler.entity(version),
})

type Warned = Pick<Deployment, 'warnings'>

const warningsOf = ({ warnings }: Warned) => (warnings.length > 0 ? { warnings } : {})

/** The response to a deployment: the version, and warnings of likely mistakes in its text. */
export const deploymentEntity = (
  handler: PointHandler,
  { deployed, warnings, isUnchanged, sameAs }: Deployment,
) => ({
  ...contributionEntity(handler, deployed),
  ...(isUnchanged && { unchanged: true }),
  ...(sameAs !== undefined && { sameAs }),
  ...warningsOf({ warnings }),
})

/** The response to a dry run. */
export const planEntity = ({ entityType }: PointHandler, { plan, warnings, isUnchanged }: Planned) => ({
  'entity-type': `${entityType}Plan`,
  ...plan,
  ...(isUnchanged && { unchanged: true }),
  ...warningsOf({ warnings }),
})

const CONTENT_TYPES: { [format in ContributionFormat]: string } = {
  yaml: 'application/yaml; charset=UTF-8',
  xml: 'application/xml; charset=UTF-8',
  json: 'application/json; charset=UTF-8',
}

/** A version as text; as it was deployed, comments included, when that was the same notation. */
export const represent = (
  handler: PointHandler,
  version: DeployedVersion,
  format: ContributionFormat,
): { text: string; headers: { [name: string]: string } } => ({
  text:
    version.format === format && format !== 'json'
      ? version.source
      : handler.write(version, format, contributionEntity(handler, version)),
  headers: {
    'Content-Type': CONTENT_TYPES[format],
    ETag: etagOf(version.version, format),
    Vary: 'Accept',
    'Cache-Control': 'private, no-cache',
  },
})
