import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type DataFile,
  type Directories,
  dataFilesOf,
  directoriesPoint,
  loadDirectories,
} from '../../core/content/directories/index.js'
import { modelRegistry } from '../../core/model/content-model/index.js'
import type { Contributions, Snapshot, UsageCheck } from '../../core/platform/contributions/index.js'
import { fail, isArchivoltError } from '../../core/platform/errors/index.js'
import { createDirectoryLoader, type Database, type Sql } from '../../storage/postgres/index.js'
import { DEFAULT_CONFIGURATION } from '../default-configuration.js'
import { mainDataRules } from '../main-data.js'

/** The text of a data file: the deployment's own before the product's. */
const readFrom =
  (folders: readonly string[]) =>
  async (path: string): Promise<string> => {
    for (const folder of folders) {
      try {
        return await readFile(join(folder, path), 'utf8')
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
      }
    }
    throw fail('invalid', `directories: there is no data file ${path} in ${folders.join(' or ')}`)
  }

/** Any number will do, as long as every process of the product uses the same one. */
const SEED_LOCK = 7_274_502

/** Lets one process at a time bring in what a deployment begins with, until the end of its transaction. */
export const lockSeeds = async (sql: Sql): Promise<void> => {
  await sql`SELECT pg_advisory_xact_lock(${SEED_LOCK})`
}

type Loading = Pick<Directories, 'registry'> & {
  files: ReadonlyMap<string, DataFile>
  /** The deployment's own folder of configuration. */
  configuration: string | undefined
}

/**
 * Brings data files of directories in, as far as they are new or changed, in a transaction that has `lockSeeds`.
 *
 * @throws invalid for a data file that is missing or does not fit its directory.
 */
export const loadDirectoryData = (sql: Sql, { registry, files, configuration }: Loading): Promise<void> =>
  loadDirectories({
    registry,
    files,
    readFile: readFrom(configuration ? [configuration, DEFAULT_CONFIGURATION] : [DEFAULT_CONFIGURATION]),
    loader: createDirectoryLoader(sql),
  })

type Files = ReadonlyMap<string, DataFile>

/** The data files of one configuration that another one does not have in the same way. */
export const dataFilesBeyond = (contributions: Contributions, known: Contributions): Files => {
  const before = dataFilesOf(known)
  return new Map(
    [...dataFilesOf(contributions)].filter(
      ([name, file]) => JSON.stringify(before.get(name)) !== JSON.stringify(file),
    ),
  )
}

/** Data files that a deployment at run time brings in: one that empties its directory only when it is new. */
const filesToLoad = (after: Contributions, before: Contributions): Files => {
  const changed = dataFilesBeyond(after, before)
  return new Map(
    [...dataFilesOf(after)].filter(([name, { creation }]) => creation !== 'always' || changed.has(name)),
  )
}

/** What is wrong with a data file, where the contribution of its directory names it. */
const inContribution = async (
  { contributions }: Snapshot,
  name: string,
  work: () => Promise<void>,
): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!isArchivoltError(error) || error.code !== 'invalid') throw error
    const { message } = error
    const found = contributions.locate(
      { point: directoriesPoint.point, name },
      { path: ['dataFile'], message },
    )
    throw fail('invalid', message, { cause: error, details: [found] })
  }
}

type DeploymentData = {
  /** Refuses a deployment whose data files could not be brought in; nothing is kept. */
  check: UsageCheck
  /** Brings them in once it is in force. */
  load(change: { before: Snapshot; after: Snapshot }): Promise<void>
}

/** The data of directories that are deployed while the product runs. */
export const createDeploymentData = (
  database: Pick<Database, 'transaction'>,
  configuration: string | undefined,
): DeploymentData => {
  const load = (sql: Sql, after: Snapshot, files: Files): Promise<void> => {
    const { registry } = mainDataRules({
      contributions: after.contributions,
      model: after.get(modelRegistry),
    })
    return loadDirectoryData(sql, { registry, files, configuration })
  }
  return {
    check: async ({ before, after }) => {
      const files = dataFilesBeyond(after.contributions, before.contributions)
      if (files.size === 0) return
      const tried = new Error('Only tried: taken back')
      const trial = database.transaction(async (sql) => {
        await lockSeeds(sql)
        for (const [name, file] of files)
          await inContribution(after, name, () => load(sql, after, new Map([[name, file]])))
        throw tried
      })
      await trial.catch((error: unknown) => {
        if (error !== tried) throw error
      })
    },
    load: ({ before, after }) =>
      database.transaction(async (sql) => {
        await lockSeeds(sql)
        await load(sql, after, filesToLoad(after.contributions, before.contributions))
      }),
  }
}
