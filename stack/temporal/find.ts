import { join } from 'node:path'
import { buildWithGo, cacheFolder, findOnPath, StackFailure } from '../process/index.js'

/** Newer versions cannot be built by `go install`. */
const VERSION = '1.5.1'

export type FindOptions = { env: NodeJS.ProcessEnv; onBuild: () => void; signal?: AbortSignal }

/** The `temporal` command: on PATH, else in the cache, else built by Go, which takes some minutes once. */
export const findTemporal = async (options: FindOptions): Promise<string> => {
  const { env } = options
  const folder = join(cacheFolder(env), `temporal-${VERSION}`)
  const found = findOnPath('temporal', env.PATH) ?? findOnPath('temporal', folder)
  if (found) return found
  const go = findOnPath('go', env.PATH)
  if (!go) {
    throw new StackFailure(
      'Temporal is not installed: install its command line (`temporal`) or Go (which builds it once), ' +
        'or set TEMPORAL_ADDRESS to the address of a Temporal server.',
    )
  }
  options.onBuild()
  const module = `github.com/temporalio/cli/cmd/temporal@v${VERSION}`
  try {
    return await buildWithGo(go, { name: 'temporal', module, folder }, options)
  } catch (cause) {
    throw new StackFailure(
      `Temporal could not be built by Go (${(cause as Error).message}): install the Temporal command line, ` +
        'or set TEMPORAL_ADDRESS to the address of a Temporal server.',
      { cause },
    )
  }
}
