import { existsSync, mkdtempSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { Home } from '../home/index.js'
import { endLeftover } from '../postgres/index.js'
import { StackFailure } from '../process/index.js'
import { describeBackup, MANIFEST } from './manifest.js'
import { tar } from './tar.js'

/** Of the processes of this machine, or made again by whoever needs it. */
const LEFT_OUT = ['./run', './logs', './postgres', './postgres.new', './elasticsearch']

/** What `tar` compresses by, and what is not compressed. */
const ENDINGS = ['.tar', '.tar.gz', '.tgz', '.tar.zst']

/**
 * Checks the names of a backup, before anything is made or locked.
 *
 * @throws StackFailure when the archive's ending says no way to write it, or a folder does not exist.
 */
export const checkTarget = (home: string, target: string): void => {
  if (!ENDINGS.some((ending) => target.endsWith(ending)))
    throw new StackFailure(`${target} is no name of a backup: it ends in ${ENDINGS.join(', ')}.`)
  const folder = dirname(resolve(target))
  if (!existsSync(folder)) throw new StackFailure(`There is no folder ${folder} to write the backup to.`)
  if (!existsSync(home))
    throw new StackFailure(`There is no folder ${home}: is ARCHIVOLT_HOME the right one?`)
}

/**
 * Writes database, blobs and Temporal's state to one archive, which is whole or absent.
 *
 * @param home of a stack that is stopped, and whose lock the caller holds.
 * @param target path of the archive; `.gz` or `.zst` at its end compresses it.
 * @returns the size in bytes.
 * @throws StackFailure when the target exists or there is nothing to back up.
 */
export const backUp = async (home: Home, target: string): Promise<number> => {
  const file = resolve(target)
  if (existsSync(file)) throw new StackFailure(`${file} exists already: choose another name.`)
  if (file.startsWith(join(home.folder, '/')))
    throw new StackFailure(
      `${file} is inside of what is backed up: choose a place outside of ${home.folder}.`,
    )
  if (!existsSync(home.postgresData))
    throw new StackFailure(`${home.folder} holds no database: is ARCHIVOLT_HOME the right folder?`)
  // The folder may stand elsewhere, with a link at its place.
  const data = realpathSync(home.postgresData)
  await endLeftover(data)
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-backup-'))
  // The name keeps its end, which says how to compress.
  const unfinished = join(dirname(file), `.unfinished-${basename(file)}`)
  try {
    writeFileSync(join(folder, MANIFEST), `${JSON.stringify(describeBackup(data), null, 2)}\n`)
    const excluded = LEFT_OUT.map((path) => `--exclude=${path}`)
    await tar([
      ...['--create', '--auto-compress', `--file=${unfinished}`],
      ...[`--directory=${folder}`, MANIFEST, `--directory=${dirname(data)}`, basename(data)],
      ...[`--directory=${home.folder}`, ...excluded, '.'],
    ])
    renameSync(unfinished, file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(unfinished, { force: true })
  }
  return statSync(file).size
}
