import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  renameSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Owner } from '../process/index.js'
import { canReach } from './owner.js'

/** Where servers run from when the user they run as may not enter our own folders (root's home, for one). */
const SYSTEM_FOLDER = '/var/lib/archivolt'

const openFolder = (folder: string): void => {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
}

/**
 * The folder of a server's programs, or of a copy of them at a place that `owner` can reach.
 *
 * @param programs their folder, and the name of a copy, which their version is part of.
 */
export const reachablePrograms = (
  { root, name }: { root: string; name: string },
  owner: Owner | undefined,
): string => {
  if (!owner || canReach(root, owner)) return root
  const copy = join(SYSTEM_FOLDER, name)
  if (existsSync(copy)) return copy
  openFolder(SYSTEM_FOLDER)
  // The owner is somebody else, who is to read and run it.
  const before = process.umask(0o022)
  try {
    const unfinished = mkdtempSync(`${copy}.`)
    cpSync(root, unfinished, { recursive: true, verbatimSymlinks: true })
    chmodSync(unfinished, 0o755)
    renameSync(unfinished, copy)
    return copy
  } finally {
    process.umask(before)
  }
}

/**
 * The real folder of the data, with every folder above it made. When `owner` cannot reach `dataFolder`, its
 * place becomes a link to a folder that it can, so that everything is still found from ARCHIVOLT_HOME.
 */
export const reachableData = (dataFolder: string, owner: Owner | undefined): string => {
  if (lstatSync(dataFolder, { throwIfNoEntry: false })?.isSymbolicLink())
    return resolve(readlinkSync(dataFolder))
  const parent = dirname(resolve(dataFolder))
  if (!existsSync(parent)) {
    mkdirSync(parent, { recursive: true })
    // Others may pass through but not look: what lies inside carries its own, closed permissions.
    if (owner) chmodSync(parent, 0o711)
  }
  if (!owner || canReach(parent, owner)) return join(realpathSync(parent), basename(dataFolder))
  openFolder(SYSTEM_FOLDER)
  // A fresh name each time: files that an earlier, deleted home left there are never taken for ours.
  const place = mkdtempSync(join(SYSTEM_FOLDER, 'data-'))
  chmodSync(place, 0o711)
  const real = join(place, basename(dataFolder))
  symlinkSync(real, dataFolder)
  return real
}
