import { randomUUID } from 'node:crypto'
import { fail } from '../../core/platform/errors/index.js'
import { isUnused, MARK_FILE, readMark, writeMark } from '../../storage/blobs/filesystem/index.js'
import { claimBlobStore, type Database } from '../../storage/postgres/index.js'
import { lockSeeds } from '../configuration/directory-data.js'

/**
 * Makes sure that the folder of blobs is the one whose files the database names: the folder carries a mark, and the
 * database knows it. The first process of an installation makes it; those that start beside it wait.
 *
 * @throws invalid for another folder: one that nodes do not share, or that belongs to another database.
 */
export const requireBlobFolder = (folder: string, { transaction }: Database): Promise<void> =>
  transaction(async (sql) => {
    await lockSeeds(sql)
    const store = claimBlobStore(sql)
    const [known, mark] = [await store.known(), await readMark(folder)]
    if (known !== undefined && known === mark) return
    if (known === undefined && (mark === undefined || (await isUnused(folder)))) {
      const id = randomUUID()
      await store.claim(id)
      await writeMark(folder, id)
      return
    }
    throw fail('invalid', mark === undefined ? unmarked(folder, known) : foreign(folder))
  })

const unmarked = (folder: string, known: string | undefined): string =>
  `ARCHIVOLT_HOME: ${folder} is not the folder of this database's files, as it lacks the file ${MARK_FILE}. Share one folder among all processes; in a restored one, write ${known} to that file`

const foreign = (folder: string): string =>
  `ARCHIVOLT_HOME: ${folder} is the folder of another database's files. If they belong to this one, remove its file ${MARK_FILE} and the row of the table blob_stores`
