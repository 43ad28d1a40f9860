import { EXIT, type ExitCode } from '../failures/index.js'
import { type ChainEntity, chainsEntity } from '../server/index.js'
import { showTable } from '../terminal/index.js'
import type { Deployment } from './deploy.js'

const rowOf = ({ id, version, created, author, description }: ChainEntity): string[] => [
  id,
  version === 0 ? 'configuration' : `version ${version}`,
  created ?? '-',
  author ?? '-',
  description ?? '',
]

/** Lists the chains in force. */
export const listChains = async (
  { server, terminal }: Deployment,
  options: { json?: boolean },
): Promise<ExitCode> => {
  const { entries } = await server.read(chainsEntity, '/contributions/chains')
  if (options.json) terminal.out(JSON.stringify(entries))
  else showTable(terminal, { rows: entries.map(rowOf), none: 'No chain is deployed' })
  return EXIT.ok
}
