import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { RecordedRun } from './open-runs.js'

/** What a release has left, a folder each. */
export const RELEASES = join(import.meta.dirname, 'releases')

export type RecordedRuns = {
  /** Wait for something, and go on by themselves. */
  open: RecordedRun[]
  scheduled: RecordedRun
  bulk: RecordedRun
  /** Ended, with items that failed. */
  failedItems: RecordedRun
  failed: RecordedRun
}

export type Release = {
  version: string
  recordedAt: string
  /** Version of the Temporal server, whose state is read by its own kind alone. */
  temporal: string
  /** The transactions that the database server had counted. */
  transactions: number
  /** Its migrations in order, each with the hash by which Drizzle knows it. */
  migrations: { tag: string; hash: string }[]
  runs: RecordedRuns
}

/** Temporal's state is in two files: SQLite puts what is new aside first. */
const TEMPORAL_FILES = ['temporal.db', 'temporal.db-wal']

/** The best that there is: the files lie in the repository. */
const compress = (content: Buffer): Buffer =>
  brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  })

const write = (folder: string, name: string, content: string | Buffer): void =>
  writeFileSync(join(folder, `${name}.br`), compress(Buffer.from(content)))

const read = (folder: string, name: string): Buffer =>
  brotliDecompressSync(readFileSync(join(folder, `${name}.br`)))

const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`

/** Writes what a stopped installation has left: see `Fixture`. */
export const writeFixture = (
  release: Release,
  {
    home,
    database,
    exchanges,
    histories,
  }: {
    home: string
    database: string
    exchanges: readonly unknown[]
    histories: { [name: string]: unknown }
  },
): string => {
  const folder = join(RELEASES, release.version)
  mkdirSync(join(folder, 'histories'), { recursive: true })
  writeFileSync(join(folder, 'release.json'), json(release))
  write(folder, 'database.sql', database)
  write(folder, 'exchanges.json', json(exchanges))
  for (const name of TEMPORAL_FILES) write(folder, name, readFileSync(join(home, 'temporal', name)))
  cpSync(join(home, 'blobs', 'data'), join(folder, 'blobs'), { recursive: true })
  for (const [name, history] of Object.entries(histories))
    writeFileSync(join(folder, 'histories', `${name}.json`), json(history))
  return folder
}

/** Versions of the releases that are recorded. */
export const releases = (): string[] => readdirSync(RELEASES)

export const readRelease = (version: string): Release =>
  JSON.parse(readFileSync(join(RELEASES, version, 'release.json'), 'utf8')) as Release

/** Paths of the histories of its open runs. */
export const historyFiles = (version: string): string[] => {
  const folder = join(RELEASES, version, 'histories')
  return readdirSync(folder).map((name) => join(folder, name))
}

/** What the installation of a release has left. */
export type Fixture<Exchange> = {
  release: Release
  /** SQL that fills an empty database. */
  database: string
  /** What it was asked, and answered. */
  exchanges: Exchange[]
  /** Puts its files, and Temporal's state, into a folder that is to be its home. */
  unpack(home: string): void
}

export const readFixture = <Exchange>(version: string): Fixture<Exchange> => {
  const folder = join(RELEASES, version)
  return {
    release: readRelease(version),
    database: read(folder, 'database.sql').toString(),
    exchanges: JSON.parse(read(folder, 'exchanges.json').toString()) as Exchange[],
    unpack: (home) => {
      mkdirSync(join(home, 'temporal'), { recursive: true })
      for (const name of TEMPORAL_FILES) writeFileSync(join(home, 'temporal', name), read(folder, name))
      cpSync(join(folder, 'blobs'), join(home, 'blobs', 'data'), { recursive: true })
    },
  }
}
