import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StackFailure } from '../process/index.js'

/** What a backup says of itself, as its first file. */
export type Manifest = {
  /** Version of the product that wrote it. */
  release: string
  /** ISO 8601. */
  createdAt: string
  /** Major version of the Postgres whose data folder it holds; `platform` is that of the machine. */
  postgres: string
  platform: string
}

export const MANIFEST = 'backup.json'

export const thisPlatform = `${process.platform}-${process.arch}`

const productVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version

/** @param dataFolder of a Postgres server. */
export const describeBackup = (dataFolder: string): Manifest => ({
  release: productVersion(),
  createdAt: new Date().toISOString(),
  postgres: readFileSync(join(dataFolder, 'PG_VERSION'), 'utf8').trim(),
  platform: thisPlatform,
})

/** @throws StackFailure when the folder is not that of a backup, or of one for other machines. */
export const readManifest = (folder: string, postgresMajor: string): Manifest => {
  let manifest: Manifest
  try {
    manifest = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest
  } catch (cause) {
    throw new StackFailure(`The file is not a backup of Archivolt: it has no ${MANIFEST}.`, { cause })
  }
  const here = `Postgres ${postgresMajor} on ${thisPlatform}`
  const there = `Postgres ${manifest.postgres} on ${manifest.platform}`
  if (here !== there)
    throw new StackFailure(
      `The backup is of ${there}, here is ${here}: move the database with pg_dump instead (docs/operations.md).`,
    )
  return manifest
}
