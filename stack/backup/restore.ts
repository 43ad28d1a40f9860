import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { reachableData } from '../owner/index.js'
import { findBinaries, postgresOwner } from '../postgres/index.js'
import { isDiskFull, StackFailure } from '../process/index.js'
import { MANIFEST, type Manifest, readManifest } from './manifest.js'
import { tar } from './tar.js'

/** A data folder that stands where the user of Postgres can reach it, and belongs to that user. */
const settleData = async (home: string): Promise<void> => {
  const owner = postgresOwner(join(home, 'postgres.none'))
  const place = join(home, 'postgres')
  const restored = join(home, 'postgres.restored')
  renameSync(place, restored)
  const real = reachableData(place, owner)
  if (dirname(real) === realpathSync(home)) renameSync(restored, real)
  else {
    cpSync(restored, real, { recursive: true, verbatimSymlinks: true })
    rmSync(restored, { recursive: true })
  }
  if (owner) await promisify(execFile)('chown', ['-R', `${owner.uid}:${owner.gid}`, real])
}

/** What `tar` and its helpers say of an archive that is cut short, or none. */
const CUT = /unexpected end of file|unexpected EOF|premature end|not look like a tar|not in gzip/i

const extract = async (file: string, folder: string): Promise<void> => {
  try {
    await tar(['--extract', `--file=${file}`, `--directory=${folder}`, '--no-same-owner'])
  } catch (cause) {
    // A full disk, or a program that is missing, is not the archive's fault.
    if (isDiskFull(cause) || !CUT.test(String(cause))) throw cause
    throw new StackFailure(`${file} is not a whole backup: it is cut short, or no archive.`, { cause })
  }
}

/**
 * Makes a home from a backup. All of it is made beside its place and moved there when it is whole.
 *
 * @param folder absolute path of the new home, absent or empty.
 * @throws StackFailure when the folder holds something, or the archive is none of ours.
 */
export const restore = async (folder: string, source: string): Promise<Manifest> => {
  const file = resolve(source)
  if (!existsSync(file)) throw new StackFailure(`There is no file ${file}.`)
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new StackFailure(`${folder} is not empty: set ARCHIVOLT_HOME to a folder for the restored one.`)
  mkdirSync(dirname(folder), { recursive: true })
  const made = mkdtempSync(join(dirname(folder), `.${basename(folder)}-restored-`))
  try {
    await extract(file, made)
    const major = findBinaries().version.split('.')[0] ?? ''
    const manifest = readManifest(made, major)
    rmSync(join(made, MANIFEST))
    // The archive has the permissions of the folder that was backed up; for root others may pass through.
    chmodSync(made, process.getuid?.() === 0 ? 0o711 : 0o700)
    await settleData(made)
    if (existsSync(folder)) {
      chmodSync(made, statSync(folder).mode)
      // Fails when a start has put something there meanwhile.
      rmdirSync(folder)
    }
    renameSync(made, folder)
    return manifest
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}
