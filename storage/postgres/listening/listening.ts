import { isConnectionLost, type ListeningClient } from '../pool/index.js'

type Listener = { onNotice(payload: string): void; onListening(): void }

type Channel = {
  listeners: Set<Listener>
  ready: Promise<void>
  /** Ends the listening on the connection that there is now. */
  unlisten?: () => Promise<void>
}

/** Channels of notifications, on one connection of the process. */
export type Listening = {
  /**
   * Calls back for each notification on a channel. What came while the connection was away is lost:
   * `onListening` is called whenever the channel is listened to from now on.
   *
   * @returns what ends it.
   */
  listen(
    channel: string,
    onNotice: Listener['onNotice'],
    onListening: Listener['onListening'],
  ): Promise<() => Promise<void>>
  /** @throws Error while notifications do not arrive. */
  check(): void
  close(): Promise<void>
}

/** Milliseconds between two heartbeats, and after how many without one the connection counts as dead. */
const BEAT_MS = 2_000
const SILENT_MS = 6_000

/**
 * Listens, and sends itself a notification from time to time. A connection may be dead without being closed, when
 * something between has forgotten it: the server's notifications then vanish, and nobody is notified. So one on which
 * heartbeats do not arrive is replaced.
 *
 * @param open opens a client of its own for the listening connection.
 * @param notify sends a notification on any other connection.
 * @param name of the process, for a channel that no other listens to.
 */
export const createListening = ({
  open,
  notify,
  name,
  beatMs = BEAT_MS,
  silentMs = SILENT_MS,
}: {
  open(): ListeningClient
  notify(channel: string): Promise<void>
  name: string
  beatMs?: number | undefined
  silentMs?: number | undefined
}): Listening => {
  const channels = new Map<string, Channel>()
  const beat = `archivolt_beat_${name}`
  let client: ListeningClient | undefined
  let timer: NodeJS.Timeout | undefined
  /** When the first heartbeat was sent that has not arrived. */
  let unheardSince: number | undefined
  let heardAt = 0
  let openedAt = 0
  let isBeating = false

  const heard = (): void => {
    heardAt = performance.now()
    unheardSince = undefined
  }
  const connect = (): ListeningClient => {
    openedAt = performance.now()
    client = open()
    return client
  }
  const subscribe = async (on: ListeningClient, channel: string): Promise<void> => {
    const each = (call: (listener: Listener) => void): void => {
      if (on === client) channels.get(channel)?.listeners.forEach(call)
    }
    const { unlisten } = await on.listen(
      channel,
      (payload) => each(({ onNotice }) => onNotice(payload)),
      () => each(({ onListening }) => onListening()),
    )
    const known = channels.get(channel)
    if (known && on === client) known.unlisten = unlisten
  }
  const isSilent = (): boolean => unheardSince !== undefined && performance.now() - unheardSince > silentMs
  const replace = async (): Promise<void> => {
    const before = client
    const after = connect()
    await before?.end({ timeout: 0 })
    await Promise.all([...channels.keys()].map((channel) => subscribe(after, channel)))
  }
  const sendBeat = async (): Promise<void> => {
    if (isSilent() && performance.now() - openedAt > silentMs) await replace()
    const sentAt = performance.now()
    await notify(beat)
    if (heardAt < sentAt) unheardSince ??= sentAt
  }
  const keepBeating = (): void => {
    if (isBeating) return
    isBeating = true
    const rest = (): void => {
      isBeating = false
    }
    // A server that is away is reported by those who ask it, and gets the next heartbeat.
    sendBeat().then(rest, rest)
  }
  const add = async (channel: string, listener: Listener): Promise<void> => {
    const known = channels.get(channel)
    if (known) {
      await known.ready
      known.listeners.add(listener)
      return listener.onListening()
    }
    const added: Channel = { listeners: new Set([listener]), ready: Promise.resolve() }
    channels.set(channel, added)
    added.ready = subscribe(client ?? connect(), channel)
    await added.ready
  }

  return {
    listen: async (channel, onNotice, onListening) => {
      const listener = { onNotice, onListening }
      if (!timer) {
        timer = setInterval(keepBeating, beatMs)
        timer.unref()
        await add(beat, { onNotice: heard, onListening: () => undefined })
      }
      await add(channel, listener)
      return async () => {
        const known = channels.get(channel)
        known?.listeners.delete(listener)
        if (!known || known.listeners.size > 0) return
        channels.delete(channel)
        // A lost connection hears nothing either, and what another one hears goes to nobody.
        await known.unlisten?.().catch((error: unknown) => {
          if (!isConnectionLost(error)) throw error
        })
      }
    },
    check: () => {
      if (isSilent()) throw Object.assign(new Error('Notifications do not arrive'), { code: 'SILENT' })
    },
    close: async () => {
      clearInterval(timer)
      await client?.end({ timeout: 10 })
    },
  }
}
