import {
  type MediaResult,
  type MediaTask,
  type MediaTasks,
  mediaKeyOf,
  type WaitingMedia,
} from '../../../core/content/media/index.js'
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

/** Tasks of one owner that are looked at for the next turns. */
const OF_OWNER = 100

/** Of those that wait, counted at most. */
const OF_QUEUE = 1_000

/** What is to be made of the files of one database. */
export const createMediaTasks = (sql: Sql): MediaTasks => ({
  want: async (tasks) => {
    for (const { documentId, owner, kind, source, isSettled = false, isAnew = false } of tasks) {
      if (isAnew)
        await named(sql)`
          UPDATE ${TASKS} SET ${TASK.result} = NULL
          WHERE ${TASK.kind} = ${kind} AND ${TASK.digest} = ${mediaKeyOf({ source })} AND ${TASK.state} = 'done'`
      await named(sql)`
        INSERT INTO ${TASKS} AS t (${TASK.documentId}, ${TASK.kind}, ${TASK.digest}, ${TASK.source}, ${TASK.state}, ${TASK.owner})
        SELECT ${d.id}, ${kind}, ${mediaKeyOf({ source })}, ${sql.json(source as never)},
          ${isSettled ? 'done' : 'waiting'}, ${owner}
        FROM ${DOCUMENTS} d WHERE ${d.id} = ${documentId} FOR KEY SHARE
        ON CONFLICT (${TASK.documentId}, ${TASK.kind}) DO UPDATE SET ${TASK.digest} = EXCLUDED.digest,
          ${TASK.source} = EXCLUDED.source, ${TASK.state} = EXCLUDED.state, ${TASK.owner} = EXCLUDED.owner, ${TASK.result} = NULL, ${TASK.error} = NULL,
          ${TASK.createdAt} = now()
        WHERE ${t.digest} <> EXCLUDED.digest OR ${isAnew}`
    }
  },

  waiting: async (limit) => {
    const rows = await named(sql)<WaitingMedia[]>`
      WITH RECURSIVE owners AS (
        (SELECT ${TASK.owner} AS name FROM ${TASKS} WHERE ${TASK.state} = 'waiting' ORDER BY ${TASK.owner} LIMIT 1)
        UNION ALL
        SELECT (SELECT ${t.owner} FROM ${TASKS} t WHERE ${t.state} = 'waiting' AND ${t.owner} > o.name
          ORDER BY ${t.owner} LIMIT 1)
        FROM owners o WHERE o.name IS NOT NULL
      )
      SELECT ${TASK.kind} AS kind, (array_agg(${TASK.source}))[1] AS source,
        (array_agg(${TASK.owner} ORDER BY ${TASK.createdAt}))[1] AS owner,
        (array_agg(${TASK.documentId} ORDER BY ${TASK.createdAt}))[1] AS "documentId"
      FROM owners o CROSS JOIN LATERAL (
        SELECT *, row_number() OVER (ORDER BY ${TASK.createdAt}) AS turn FROM (
          SELECT * FROM ${TASKS} t WHERE ${t.state} = 'waiting' AND ${t.owner} = o.name
          ORDER BY ${t.createdAt} LIMIT ${OF_OWNER}) mine
      ) w
      GROUP BY ${TASK.kind}, ${TASK.digest} ORDER BY min(turn), min(${TASK.createdAt}) LIMIT ${limit}`
    return [...rows]
  },

  documents: async (work, limit) => {
    const rows = await named(sql)<{ id: string }[]>`
      SELECT ${TASK.documentId} AS id FROM ${TASKS}
      WHERE ${TASK.kind} = ${work.kind} AND ${TASK.digest} = ${mediaKeyOf(work)} AND ${TASK.state} = 'waiting'
      ORDER BY ${TASK.documentId} LIMIT ${limit}`
    return rows.map(({ id }) => id)
  },

  known: async (work) => {
    const [row] = await named(sql)<{ result: MediaResult }[]>`
      SELECT ${TASK.result} AS result FROM ${TASKS}
      WHERE ${TASK.kind} = ${work.kind} AND ${TASK.digest} = ${mediaKeyOf(work)} AND ${TASK.state} = 'done' AND ${TASK.result} IS NOT NULL LIMIT 1`
    return row?.result
  },

  settle: async (work, outcome) => {
    if ('error' in outcome)
      await named(sql)`
        UPDATE ${TASKS} SET ${TASK.state} = 'failed', ${TASK.error} = ${outcome.error}
        WHERE ${TASK.kind} = ${work.kind} AND ${TASK.digest} = ${mediaKeyOf(work)} AND ${TASK.state} = 'waiting'`
    else
      await named(sql)`
        UPDATE ${TASKS} SET ${TASK.state} = 'done', ${TASK.result} = ${sql.json(outcome.result as never)}
        WHERE ${TASK.documentId} = ${outcome.documentId} AND ${TASK.kind} = ${work.kind}
          AND ${TASK.digest} = ${mediaKeyOf(work)}`
  },

  of: async (documentId) => {
    const rows = await named(sql)<(Omit<MediaTask, 'error'> & { error: string | null })[]>`
      SELECT ${t.kind} AS kind, ${t.source} AS source, ${t.state} AS state, ${t.error} AS error,
        coalesce(q.earlier, 0)::int AS "positionInQueue", coalesce(q.size, 0)::int AS "queueSize"
      FROM ${TASKS} t LEFT JOIN LATERAL (
        SELECT count(*) AS size, count(*) FILTER (WHERE w.since < ${t.createdAt}) AS earlier FROM (
          SELECT min(${TASK.createdAt}) AS since FROM ${TASKS} WHERE ${TASK.state} = 'waiting'
          GROUP BY ${TASK.kind}, ${TASK.digest} ORDER BY 1 LIMIT ${OF_QUEUE}) w
      ) q ON ${t.state} = 'waiting'
      WHERE ${t.documentId} = ${documentId} ORDER BY ${t.kind}`
    return rows.map(({ error, ...task }) => ({ ...task, ...(error !== null && { error }) }))
  },

  indexWords: async (documentId, { text, language = null }) => {
    // Words of weight D are those of files; the others stay.
    await named(sql)`
      UPDATE ${TEXTS} x SET ${TEXT.binaryWords} = f.found, ${TEXT.words} = ts_filter(${x.words}, '{a,b,c}') || f.found
      FROM (
        SELECT archivolt_weighted(${text}, 'D', archivolt_language(
          coalesce(nullif(${d.properties} ->> 'dc:language', ''), ${language}::text))) AS found
        FROM ${DOCUMENTS} d WHERE ${d.id} = ${documentId}) f
      WHERE ${x.documentId} = ${documentId}`
  },
})
