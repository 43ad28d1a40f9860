import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Serves documents and chains a third faster than the versions before it. */
const WANTED_MAJOR = 24

/** A Node that can run the servers. `version` is like `24.21.0`; `source` says where it is from. */
export type NodeBinary = { command: string; version: string; source: 'installed' | 'package' }

const PACKAGE = `node-${process.platform}-${process.arch}`

const INSTALLED: NodeBinary = {
  command: process.execPath,
  version: process.versions.node,
  source: 'installed',
}

/** The binary of an npm package; undefined where it is not there or does not run on this machine. */
const packaged = (name: string): NodeBinary | undefined => {
  let folder: string
  try {
    folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  } catch {
    // Installed without optional packages, or on a platform that it is not made for.
    return undefined
  }
  const command = join(folder, 'bin', 'node')
  const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' })
  return status === 0 ? { command, version: stdout.trim().replace(/^v/, ''), source: 'package' } : undefined
}

/**
 * The Node that runs API and worker: that of the npm package where the installed one is older. The package has no
 * place on the `PATH` of scripts (`postinstall`), so that all else runs on the installed one.
 */
export const chooseNode = (installed: NodeBinary = INSTALLED, packageName = PACKAGE): NodeBinary =>
  Number.parseInt(installed.version, 10) >= WANTED_MAJOR ? installed : (packaged(packageName) ?? installed)

/** One line for the terminal. */
export const describeNode = ({ version, source }: NodeBinary): string =>
  `API and worker run on Node ${version}, ${source === 'package' ? `of the package ${PACKAGE}` : 'the installed one'}.`
