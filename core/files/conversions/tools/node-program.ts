import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'

const { resolve } = createRequire(import.meta.url)

/** The folder of all packages, of which one loads others; they are no secret. */
const packagesOf = (name: string): string => {
  const path = resolve(name)
  return path.slice(0, path.lastIndexOf(`${sep}node_modules${sep}`) + `${sep}node_modules`.length)
}

/**
 * What a program of ours in plain JavaScript, run by Node in a sandbox, may read beside its folder: its own code, that of
 * the packages, and Node.
 *
 * @param entry absolute path of the program. @param uses a package that it loads.
 */
export const nodeReadable = (entry: string, uses: string): readonly string[] => [
  dirname(entry),
  packagesOf(uses),
  process.execPath,
]

/** Where a package begins, for a program that is given its address. */
export const entryOf = (name: string): string => resolve(name)
