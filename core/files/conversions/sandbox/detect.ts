import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createBubblewrap } from './bubblewrap.js'
import { noSandbox, type Sandbox } from './sandbox.js'
import { systemFiles } from './system-files.js'
import { createUnshare } from './unshare.js'

const TRIAL_MS = 10_000

/** Many containers have the programs and forbid what they do: only a trial shows it. */
const works = async (sandbox: Sandbox, path: string): Promise<boolean> => {
  const folder = await mkdtemp(join(tmpdir(), 'archivolt-sandbox-'))
  try {
    const { command, args } = sandbox.wrap({ command: '/bin/sh', args: ['-c', 'test -e /proc/self'], folder })
    await promisify(execFile)(command, args, { cwd: folder, env: { PATH: path }, timeout: TRIAL_MS })
    return true
  } catch {
    // Forbidden or too old: the next kind is tried, and the kind that is found is logged.
    return false
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * The strictest sandbox that this system permits, by running a command in each once.
 *
 * @param path the PATH of the programs.
 */
export const detectSandbox = async ({
  bwrap,
  unshare,
  path,
}: {
  bwrap: string | null
  unshare: string | null
  path: string
}): Promise<Sandbox> => {
  const system = systemFiles()
  const kinds = [
    ...(bwrap ? [createBubblewrap(bwrap, system)] : []),
    ...(unshare ? [createUnshare(unshare, system)] : []),
  ]
  for (const sandbox of kinds) if (await works(sandbox, path)) return sandbox
  return noSandbox
}
