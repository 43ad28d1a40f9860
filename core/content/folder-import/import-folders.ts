import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { fail } from '../../platform/errors/index.js'

const isBelow = (root: string, path: string): boolean => {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** Whether a path of the server is below a folder that may be imported from, as it is written. */
export const isImportable = (roots: readonly string[], path: string): boolean =>
  roots.some((root) => isBelow(root, resolve(path)))

/**
 * A path of the server with all links followed.
 *
 * @param roots folders below which importers may read (`ARCHIVOLT_IMPORT_FOLDERS`).
 * @throws forbidden outside of them, notFound when it is not there.
 */
export const importablePath = async (roots: readonly string[], path: string): Promise<string> => {
  const refusal = fail('forbidden', `${path} is not below a folder of ARCHIVOLT_IMPORT_FOLDERS`)
  if (!isImportable(roots, path)) throw refusal
  const real = await realpath(path).catch((cause: NodeJS.ErrnoException) => {
    throw fail('notFound', `${path} cannot be read: ${cause.code}`, { cause })
  })
  const reached = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)))
  if (!reached.some((root) => root !== undefined && isBelow(root, real))) throw refusal
  return real
}
