import type { NativeConnection } from '@temporalio/worker'
import { type Scan, scanOf } from '../../core/content/scan-import/index.js'
import type { RelayedEvent } from '../../core/content/stores/index.js'
import { startScan, temporalOn } from '../../engine/index.js'
import type { Platform } from '../../runtime/index.js'
import { createOutboxRelay, type Database } from '../../storage/postgres/index.js'
import { followOutbox } from './follow-outbox.js'
import { type Follow, followRepositories } from './follow-repositories.js'

/** Name of the cursor of the outbox. */
const CURSOR = 'scans'

/** The event that starts a scan, as the reference names it. */
const START = 'ScanIngestionStart'

/** Milliseconds between two looks at the outbox. */
const LOOK_MS = 1_000

/** Milliseconds to wait after a failure. */
const FAILED_MS = 5_000

type Place = { own: Platform; start(scan: Scan, principal: string): Promise<boolean> }

/** What is deployed at this moment. */
const current = async ({ own }: Place): Promise<ReturnType<typeof scanOf>> => {
  const { feed, snapshots } = own.deployed
  return scanOf(snapshots.of(await feed.current()).contributions)
}

const isOfAdministrator = async ({ own }: Place, { principal }: RelayedEvent): Promise<boolean> => {
  if ((await own.authenticator.principal(principal))?.isAdministrator) return true
  own.logger.warn({ event: START, principal }, 'a scan was asked for by somebody who is no administrator')
  return false
}

/** @returns of how many events: those behind a scan that cannot start yet are looked at later. */
const lookAt = async (place: Place, events: readonly RelayedEvent[]): Promise<number> => {
  const scan = await current(place)
  let isStarted = false
  for (const [index, event] of events.entries()) {
    // Scans that were asked for together are one.
    if (event.event !== START || !scan || isStarted) continue
    if (!(await isOfAdministrator(place, event))) continue
    isStarted = await place.start({ ...scan, startedAt: Date.now() }, event.principal)
    if (!isStarted) return index
  }
  return events.length
}

const relayFrom = (place: Place, database: Database): Follow =>
  followOutbox(createOutboxRelay(database, CURSOR), {
    isWanted: () => scanOf(place.own.snapshot().contributions) !== undefined,
    isUnwanted: async () => (await current(place)) === undefined,
    look: (events) => lookAt(place, events),
    lookMs: LOOK_MS,
  })

/**
 * Starts the scan of a deployment (`importerConfig`) for the event `ScanIngestionStart` of an administrator, as a run, one at
 * a time. One worker looks at a time.
 *
 * @returns a function that stops it.
 */
export const startScans = ({
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
      const repository = own.repository === platform.repository ? undefined : own.repository
      const start: Place['start'] = (scan, principal) => startScan(temporal, { scan, principal, repository })
      return relayFrom({ own, start }, database)
    },
    { failure: 'scans could not be started; will retry', failedMs: FAILED_MS },
  )
}
