import { setTimeout as pause } from 'node:timers/promises'
import type { Principal } from '../../core/access/security/index.js'
import { cloudEventOf, type EventChoice, isChosen } from '../../core/automation/webhooks/index.js'
import { keepReadable } from '../../core/content/documents/index.js'
import type { RelayedEvent } from '../../core/content/stores/index.js'
import type { Turns } from '../../core/platform/limits/index.js'
import type { Platform } from '../../runtime/index.js'
import {
  type Database,
  eventsAfter,
  eventsById,
  type OutboxPlace,
  outboxEnd,
} from '../../storage/postgres/index.js'

const PAGE = 200

/** Events that are read with all that they carry at a time. */
const SENT_TOGETHER = 20

/** Milliseconds between two looks, and after which a silent stream says that it is there. */
const LOOK_MS = 1_000
const SILENT_MS = 15_000

/** What a client waits before it connects again, milliseconds. */
const RETRY_MS = 2_000

export type EventStream = {
  platform: Platform
  database: Database
  user: string
  choice: EventChoice
  /** Absent: what happens from now on. */
  after: OutboxPlace | undefined
  /** How long it lasts; with 0 it ends with what is there. */
  seconds: number
  signal: AbortSignal
  /** A page is read in its turn: streams that catch up leave the rest of the server to others. */
  turns: Turns
}

/**
 * Where a document was before it came to where its reader may see it is not his to know. `from` and `to` of a
 * transition are states.
 */
const withoutOldPlaces = (event: RelayedEvent, path: string | null): RelayedEvent => {
  const { payload } = event
  const isHere = payload.path === undefined || payload.path === path
  const kept = Object.entries(payload).filter(([field, value]) => {
    if (field === 'path' || field === 'parentId') return isHere
    return !(field === 'from' || field === 'to') || (typeof value === 'string' && !value.startsWith('/'))
  })
  return { ...event, payload: Object.fromEntries(kept) }
}

/**
 * Paths of the documents of some events that somebody may read now. Asks for nothing that is as large as somebody makes
 * it: whoever changes a document puts it into the streams of all.
 */
const readablePaths = async (
  { platform }: EventStream,
  principal: Principal,
  events: readonly RelayedEvent[],
): Promise<ReadonlyMap<string, string | null>> => {
  const session = platform.readSession(principal)
  const ids = [...new Set(events.flatMap(({ documentId }) => documentId ?? []))]
  const found = await session.stores.documents.briefly(ids, [])
  return new Map((await keepReadable(session, found)).map(({ id, path }) => [id, path]))
}

/**
 * What is shown of events to somebody: those of documents that may be read now. The others, and those of no document,
 * are for administrators.
 */
const shownTo = async (
  stream: EventStream,
  principal: Principal,
  events: readonly RelayedEvent[],
): Promise<{ isShown(event: RelayedEvent): boolean; shown(event: RelayedEvent): RelayedEvent }> => {
  if (principal.isAdministrator) return { isShown: () => true, shown: (event) => event }
  const paths = await readablePaths(stream, principal, events)
  return {
    isShown: ({ documentId }) => documentId !== null && paths.has(documentId),
    shown: (event) => withoutOldPlaces(event, paths.get(event.documentId ?? '') ?? null),
  }
}

/** What is read of a place has no event: clients keep it as the last one's id. */
const idOf = ({ transaction, id }: OutboxPlace): string => `id: ${transaction}-${id}\n`

const textOf = ({ platform }: EventStream, event: RelayedEvent): string => {
  const { repository, settings } = platform
  const data = JSON.stringify(cloudEventOf(event, { repository, base: settings.http.publicUrl }))
  return `${idOf(event)}event: ${event.event}\ndata: ${data}\n\n`
}

/** Those of some events that are sent, read with all that they carry a few at a time. */
async function* sentOf(
  stream: EventStream,
  principal: Principal,
  events: readonly RelayedEvent[],
): AsyncGenerator<RelayedEvent> {
  const { database, turns } = stream
  const chosen = events.filter((event) => isChosen(stream.choice, event))
  if (chosen.length === 0) return
  const { isShown, shown } = await turns(() => shownTo(stream, principal, chosen))
  const ids = chosen.filter(isShown).map(({ id }) => id)
  for (let at = 0; at < ids.length; at += SENT_TOGETHER)
    for (const event of await turns(() => eventsById(database.sql, ids.slice(at, at + SENT_TOGETHER))))
      yield shown(event)
}

/**
 * Events as a server-sent stream, in the order of commits, as their readers may read the documents when they are sent.
 * It ends when its time is over, with its reader's account, and when nobody reads it any more.
 */
export async function* eventStream(stream: EventStream): AsyncGenerator<string> {
  const { platform, database, signal } = stream
  const endsAt = Date.now() + stream.seconds * 1000
  let place = stream.after ?? (await outboxEnd(database.sql))
  let spokenAt = Date.now()
  yield `retry: ${RETRY_MS}\n${idOf(place)}\n`
  while (!signal.aborted) {
    const principal = await platform.authenticator.principal(stream.user)
    if (!principal) return
    const from = place
    const events = await stream.turns(() => eventsAfter(database.sql, from, PAGE))
    for await (const event of sentOf(stream, principal, events)) {
      yield textOf(stream, event)
      spokenAt = Date.now()
    }
    const last = events.at(-1)
    if (last) place = { transaction: last.transaction, id: last.id }
    if (Date.now() - spokenAt > SILENT_MS) {
      yield `${idOf(place)}\n`
      spokenAt = Date.now()
    }
    if (events.length === PAGE) continue
    if (Date.now() >= endsAt) return
    await pause(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}
