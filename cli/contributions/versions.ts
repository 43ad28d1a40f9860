import { CliError, EXIT } from '../failures/index.js'
import { type Server, type VersionEntity, versionsEntity } from '../server/index.js'
import { type Named, pathOf } from './named.js'

/** Of each notation in which a version may have been deployed. */
const CONTENT_TYPES = { yaml: 'application/yaml', json: 'application/json', xml: 'application/xml' } as const

/** All versions of a contribution, the oldest first. */
export const versionsOf = async (server: Server, named: Named): Promise<VersionEntity[]> => {
  const { entries } = await server.read(versionsEntity, `${pathOf(named)}?versions=true`)
  return entries.toSorted((one, other) => one.version - other.version)
}

/** @throws CliError for a number that is none of them, or of a deletion. */
export const versionNumbered = (
  versions: readonly VersionEntity[],
  { named, text }: { named: Named; text: string },
): VersionEntity => {
  const found = versions.find(({ version }) => String(version) === text)
  if (found && !found.deleted) return found
  const known = versions.flatMap(({ version, deleted }) => (deleted ? [] : [version])).join(', ')
  throw new CliError(EXIT.notFound, `${named.shown} has no version ${text}; it has ${known || 'none'}`)
}

export const contentTypeOf = ({ format }: VersionEntity): string => CONTENT_TYPES[format]

/** The text of a version, in the notation in which it was deployed. */
export const textOf = async (
  server: Server,
  { named, version }: { named: Named; version: VersionEntity },
): Promise<string> => {
  const path = `${pathOf(named)}?version=${version.version}`
  const response = await server.call(path, { headers: { accept: contentTypeOf(version) } })
  return response.text()
}
