import type { Deployment } from '../chains/index.js'
import { EXIT, type ExitCode } from '../failures/index.js'
import type { VersionEntity } from '../server/index.js'
import { tableOf } from '../terminal/index.js'
import { readNamed } from './named.js'
import { versionsOf } from './versions.js'

const rowOf = ({ version, created, author, deleted }: VersionEntity, isLast: boolean): string[] => [
  version === 0 ? 'configuration' : `version ${version}`,
  created ?? '-',
  author ?? '-',
  deleted ? 'deleted' : isLast ? 'in force' : '',
]

/** Lists the versions of a contribution, the oldest first. */
export const listVersions = async (
  { server, terminal }: Deployment,
  text: string,
  options: { json?: boolean },
): Promise<ExitCode> => {
  const versions = await versionsOf(server, readNamed(text))
  if (options.json) terminal.out(JSON.stringify(versions))
  else
    for (const line of tableOf(versions.map((version, at) => rowOf(version, at === versions.length - 1))))
      terminal.out(line)
  return EXIT.ok
}
