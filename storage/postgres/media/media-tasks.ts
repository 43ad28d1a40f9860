import type { MediaResult, MediaTasks, MediaWork } from '../../../core/content/media/index.js'
import type { BlobValue } from '../../../core/model/properties/index.js'
import { documents } from '../../../schema/documents.js'
import { documentTexts } from '../../../schema/fulltext.js'
import { mediaTasks } from '../../../schema/media.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const [TASKS, TEXTS, DOCUMENTS] = [tableOf(mediaTasks), tableOf(documentTexts), tableOf(documents)]
const d = columnsOf(documents, 'd')
const TASK = columnsOf(mediaTasks)
const t = columnsOf(mediaTasks, 't')
const TEXT = columnsOf(documentTexts)
const x = columnsOf(documentTexts, 'x')

const digestOf = ({ source }: MediaWork): string => source.digest

/** What is to be made of the files of one database. */
export const createMediaTasks = (sql: Sql): MediaTasks => ({
  want: async (tasks) => {
    for (const { documentId, kind, source, isSettled = false } of tasks)
      await named(sql)`
        INSERT INTO ${TASKS} AS t (${TASK.documentId}, ${TASK.kind}, ${TASK.digest}, ${TASK.source}, ${TASK.state})
        SELECT ${d.id}, ${kind}, ${source.digest}, ${sql.json(source as never)},
          ${isSettled ? 'done' : 'waiting'}
        FROM ${DOCUMENTS} d WHERE ${d.id} = ${documentId} FOR KEY SHARE
        ON CONFLICT (${TASK.documentId}, ${TASK.kind}) DO UPDATE SET ${TASK.digest} = EXCLUDED.digest,
          ${TASK.source} = EXCLUDED.source, ${TASK.state} = EXCLUDED.state, ${TASK.result} = NULL, ${TASK.error} = NULL,
          ${TASK.createdAt} = now()
        WHERE ${t.digest} <> EXCLUDED.digest`
  },

  waiting: async (limit) => {
    const rows = await named(sql)<{ kind: string; source: BlobValue }[]>`
      SELECT ${TASK.kind} AS kind, (array_agg(${TASK.source}))[1] AS source
      FROM (SELECT * FROM ${TASKS} WHERE ${TASK.state} = 'waiting' ORDER BY ${TASK.createdAt} LIMIT ${limit * 50}) w
      GROUP BY ${TASK.kind}, ${TASK.digest} ORDER BY min(${TASK.createdAt}) LIMIT ${limit}`
    return [...rows]
  },

  documents: async (work, limit) => {
    const rows = await named(sql)<{ id: string }[]>`
      SELECT ${TASK.documentId} AS id FROM ${TASKS}
      WHERE ${TASK.kind} = ${work.kind} AND ${TASK.digest} = ${digestOf(work)} AND ${TASK.state} = 'waiting'
      ORDER BY ${TASK.documentId} LIMIT ${limit}`
    return rows.map(({ id }) => id)
  },

  known: async (work) => {
    const [row] = await named(sql)<{ result: MediaResult }[]>`
      SELECT ${TASK.result} AS result FROM ${TASKS}
      WHERE ${TASK.kind} = ${work.kind} AND ${TASK.digest} = ${digestOf(work)} AND ${TASK.state} = 'done' AND ${TASK.result} IS NOT NULL LIMIT 1`
    return row?.result
  },

  settle: async (work, outcome) => {
    if ('error' in outcome)
      await named(sql)`
        UPDATE ${TASKS} SET ${TASK.state} = 'failed', ${TASK.error} = ${outcome.error}
        WHERE ${TASK.kind} = ${work.kind} AND ${TASK.digest} = ${digestOf(work)} AND ${TASK.state} = 'waiting'`
    else
      await named(sql)`
        UPDATE ${TASKS} SET ${TASK.state} = 'done', ${TASK.result} = ${sql.json(outcome.result as never)}
        WHERE ${TASK.documentId} = ${outcome.documentId} AND ${TASK.kind} = ${work.kind}
          AND ${TASK.digest} = ${digestOf(work)}`
  },

  indexWords: async (documentId, text) => {
    // Words of weight D are those of files; the others stay.
    await named(sql)`
      UPDATE ${TEXTS} x SET ${TEXT.binaryWords} = f.found, ${TEXT.words} = ts_filter(${x.words}, '{a,b,c}') || f.found
      FROM (SELECT setweight(to_tsvector('simple'::regconfig, archivolt_fold(${text})), 'D') AS found) f
      WHERE ${x.documentId} = ${documentId}`
  },
})
