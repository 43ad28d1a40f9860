import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { withTempFolder } from '../temp-folder.js'
import { createBubblewrap } from './bubblewrap.js'
import { noSandbox, type Sandbox } from './sandbox.js'
import { systemFiles } from './system-files.js'
import { createUnshare } from './unshare.js'

const TRIAL_MS = 10_000

type Trial = {
  /** The PATH of the programs. */
  path: string
  /** An empty folder. */
  folder: string
}

/** Many containers have the programs and forbid what they do: only a trial shows it. */
const works = async (sandbox: Sandbox, { path, folder }: Trial): Promise<boolean> => {
  try {
    const { command, args } = sandbox.wrap({ command: '/bin/sh', args: ['-c', 'test -e /proc/self'], folder })
    await promisify(execFile)(command, args, { cwd: folder, env: { PATH: path }, timeout: TRIAL_MS })
    return true
  } catch {
    // Forbidden or too old: the next kind is tried, and the kind that is found is logged.
    return false
  }
}

/** The strictest sandbox that this system permits, by running a command in each once. */
export const detectSandbox = async ({
  bwrap,
  unshare,
  path,
  tempFolder,
  hidden,
}: {
  bwrap: string | null
  unshare: string | null
  path: Trial['path']
  /** Where the trial gets a folder. */
  tempFolder: string
  /** Folders that no program may see. */
  hidden: readonly string[]
}): Promise<Sandbox> => {
  return withTempFolder(tempFolder, async (folder) => {
    const system = systemFiles(hidden)
    const kinds = [
      ...(bwrap ? [createBubblewrap(bwrap, system)] : []),
      ...(unshare ? [createUnshare(unshare, system)] : []),
    ]
    for (const sandbox of kinds) if (await works(sandbox, { path, folder })) return sandbox
    return noSandbox
  })
}
