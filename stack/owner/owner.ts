import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Owner, StackFailure } from '../process/index.js'

const idOf = (flag: '-u' | '-g', user: string): number | undefined => {
  try {
    return Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    // `id` fails for a user who does not exist.
    return undefined
  }
}

/**
 * The user that a server runs as which refuses to run as root: undefined means ours. For root it is the owner of the
 * data that is there already, else the system's `postgres`, else `nobody`.
 *
 * @param server its name, and the setting that names another one instead, for the message when there is no such user.
 */
export const chooseOwner = (
  dataFolder: string,
  { name, setting }: { name: string; setting: string },
): Owner | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const existing = statSync(dataFolder, { throwIfNoEntry: false })
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid }
  for (const user of ['postgres', 'nobody']) {
    const uid = idOf('-u', user)
    const gid = idOf('-g', user)
    if (uid !== undefined && gid !== undefined) return { uid, gid }
  }
  throw new StackFailure(
    `${name} refuses to run as root and this system has no user postgres or nobody: ` +
      `start as an ordinary user, or set ${setting} to the address of a server of its kind.`,
  )
}

/** May a user pass through a folder with these permissions? */
export const mayPass = (folder: { uid: number; gid: number; mode: number }, owner: Owner): boolean => {
  if (folder.uid === owner.uid) return (folder.mode & 0o100) !== 0
  if (folder.gid === owner.gid) return (folder.mode & 0o010) !== 0
  return (folder.mode & 0o001) !== 0
}

/** May `owner` reach what lies in `folder`, that is pass through it and every folder above it? */
export const canReach = (folder: string, owner: Owner): boolean => {
  const path = resolve(folder)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats && !mayPass(stats, owner)) return false
  return dirname(path) === path || canReach(dirname(path), owner)
}
