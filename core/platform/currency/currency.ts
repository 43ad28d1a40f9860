import { sharing } from './sharing.js'

/** Kinds of what a process remembers of the database, while any process may change it. */
export type Kind = 'contributions' | 'identities' | 'directories'

/** What the store was last changed by, for each kind: a mark that is another one after each change. */
export type Marks = { readonly [kind in Kind]: string }

/** The contract of the store of marks. */
export type MarkStore = {
  /** Of everything that was committed before the call. One round trip, whatever has changed. */
  read(): Promise<Marks>
}

/** What follows the changes of one kind. */
export type Follower = {
  /** Whether it knows of everything up to a mark. */
  isAt(mark: string): boolean
  /** Learns of it. */
  follow(mark: string): Promise<void>
}

/** What keeps a process on what is current, beside notifications, which may be late or lost. */
export type Currency = {
  /**
   * Resolves when this process knows of everything that was committed before the call. Costs one short query; calls
   * that wait at the same time share one.
   */
  current(): Promise<void>
  /** Ends the periodic look. */
  close(): void
}

/** Interval of the periodic look, milliseconds: what nobody has asked about is current by then. */
const LOOK_MS = 5_000

/** @returns a follower that forgets what it remembers whenever its mark is another one. */
export const forgetting = (forget: () => void): Follower => {
  let known: string | undefined
  return {
    isAt: (mark) => mark === known,
    follow: async (mark) => {
      known = mark
      forget()
    },
  }
}

/**
 * Follows the marks of a store.
 *
 * @param onError called when a periodic look fails; the next one makes up for it.
 * @param lookMs interval of the periodic look, milliseconds.
 */
export const createCurrency = ({
  store,
  followers,
  onError,
  lookMs = LOOK_MS,
}: {
  store: MarkStore
  followers: { readonly [kind in Kind]: Follower }
  onError(error: unknown): void
  lookMs?: number
}): Currency => {
  const kinds = Object.keys(followers) as Kind[]
  const current = sharing(async () => {
    const marks = await store.read()
    for (const kind of kinds) {
      const follower = followers[kind]
      if (!follower.isAt(marks[kind])) await follower.follow(marks[kind])
    }
  })
  const timer = setInterval(() => void current().catch(onError), lookMs)
  timer.unref()
  return { current, close: () => clearInterval(timer) }
}
