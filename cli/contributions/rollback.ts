import { type Deployment, showDeployed, showWarnings } from '../chains/index.js'
import { CliError, EXIT, type ExitCode } from '../failures/index.js'
import { deployedEntity, type VersionEntity } from '../server/index.js'
import { pathOf, readNamed } from './named.js'
import { contentTypeOf, textOf, versionNumbered, versionsOf } from './versions.js'

/** The last version before the one in force; of what is deleted, the last one that there was. */
const previous = (versions: readonly VersionEntity[]): VersionEntity | undefined =>
  versions.slice(0, -1).findLast(({ deleted }) => !deleted)

/** Deploys an older version again, as a new one, unless another was deployed meanwhile. */
export const rollback = async (
  deployment: Deployment,
  name: string,
  options: { to?: string },
): Promise<ExitCode> => {
  const { server } = deployment
  const named = readNamed(name)
  const versions = await versionsOf(server, named)
  const latest = versions.at(-1)
  const version =
    options.to === undefined ? previous(versions) : versionNumbered(versions, { named, text: options.to })
  if (!latest || !version)
    throw new CliError(EXIT.notFound, `${named.shown} has one version: there is none to return to`)
  const body = await textOf(server, { named, version })
  const deployed = await server.read(deployedEntity, pathOf(named), {
    method: 'PUT',
    headers: {
      'content-type': contentTypeOf(version),
      ...(latest.deleted ? { 'if-none-match': '*' } : { 'if-match': latest.etag }),
    },
    body,
  })
  showWarnings(
    deployment,
    { path: `${named.shown} version ${version.version}`, text: body },
    deployed.warnings,
  )
  showDeployed(deployment, { ...deployed, point: named.point, id: named.name })
  return EXIT.ok
}
