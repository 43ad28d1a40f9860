import type { NativeConnection } from '@temporalio/worker'
import {
  isMediaEvent,
  MEDIA_PROPERTIES,
  mediaWorkOf,
  type WaitingMedia,
  type WantedMedia,
} from '../../core/content/media/index.js'
import type { RelayedEvent } from '../../core/content/stores/index.js'
import { startMedia, temporalOn } from '../../engine/index.js'
import type { Platform } from '../../runtime/index.js'
import { createMediaTasks, createOutboxRelay, type Database } from '../../storage/postgres/index.js'
import { documentsInBrief, READ_TOGETHER } from './documents-of.js'
import { followRepositories } from './follow-repositories.js'

/** Name of the cursor of the outbox. */
const CURSOR = 'media'

/** Events of one transaction. */
const PAGE = 100

/** Runs that are under way at once; others wait in the table. */
const OPEN_RUNS = 20

/** Poll intervals in milliseconds: the usual one, and the one after a failure. */
const LOOK_MS = 1_000
const FAILED_MS = 5_000

/** What is to be made of the files of the documents that some events are about, in their order. */
const wantedBy = async (
  platform: Platform,
  events: readonly RelayedEvent[],
): Promise<(WantedMedia & { documentId: string; owner: string })[]> => {
  const { contributions, model } = platform.snapshot()
  const heard = events.filter(({ event }) => isMediaEvent(contributions, event))
  const documents = await documentsInBrief(platform, heard, MEDIA_PROPERTIES)
  return heard.flatMap(({ event, documentId, principal: owner }) => {
    const document = documentId === null ? undefined : documents.get(documentId)
    if (!document) return []
    const about = { documentId: document.id, owner }
    return mediaWorkOf(document, { model, contributions, event }).map((work) => ({ ...about, ...work }))
  })
}

/** What of one repository: notes what its events ask for, and starts what waits, in turns of its owners. */
export const followMedia = (
  own: Platform,
  database: Database,
  start: (work: WaitingMedia) => Promise<void>,
): (() => Promise<number>) => {
  const outbox = createOutboxRelay(database, CURSOR)
  return async () => {
    const count = await outbox.next(PAGE, async (events, sql) => {
      const tasks = createMediaTasks(sql)
      for (let at = 0; at < events.length; at += READ_TOGETHER)
        await tasks.want(await wantedBy(own, events.slice(at, at + READ_TOGETHER)))
      return events.length
    })
    for (const work of await createMediaTasks(database.sql).waiting(OPEN_RUNS)) await start(work)
    return count === PAGE ? 0 : LOOK_MS
  }
}

/**
 * Has things made of the files of every repository, as contributed listeners say: a run for each file and kind.
 *
 * @returns a function that stops it.
 */
export const startMediaListeners = ({
  connection,
  platform,
}: {
  connection: NativeConnection
  platform: Platform
}): (() => Promise<void>) => {
  const temporal = temporalOn(connection, platform)
  return followRepositories(
    platform,
    (own, database) => {
      const place = own.repository === platform.repository ? {} : { repository: own.repository }
      return followMedia(own, database, (work) => startMedia(temporal, { ...work, ...place }))
    },
    { failure: 'files could not be looked at; will retry', failedMs: FAILED_MS },
  )
}
