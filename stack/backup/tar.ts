import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { StackFailure } from '../process/index.js'

/** Runs the system's `tar`. @throws StackFailure with its words. */
export const tar = async (args: readonly string[]): Promise<void> => {
  try {
    await promisify(execFile)('tar', [...args])
  } catch (cause) {
    const { code, stderr } = cause as { code?: unknown; stderr?: string }
    const reason = code === 'ENOENT' ? 'it is not on the PATH' : String(stderr || cause).trim()
    throw new StackFailure(`tar failed: ${reason}`, { cause })
  }
}
