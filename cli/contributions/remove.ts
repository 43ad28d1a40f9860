import type { Deployment } from '../chains/index.js'
import { EXIT, type ExitCode } from '../failures/index.js'
import { pathOf, readNamed } from './named.js'

/** Deletes contributions, one after the other; their versions remain for a rollback. */
export const removeContributions = async (
  { server, terminal }: Deployment,
  names: readonly string[],
): Promise<ExitCode> => {
  for (const named of names.map(readNamed)) {
    const response = await server.call(pathOf(named), { method: 'DELETE' })
    await response.body?.cancel()
    terminal.error(`Deleted ${named.shown}; to bring it back: archivolt rollback ${named.shown}`)
  }
  return EXIT.ok
}
