import { hash } from 'node:crypto'
import type { ClientKey } from './fair-queue.js'
import type { LoginTries } from './login-throttle.js'

/** Wrong passwords of an account within an hour from the first; the next are not checked. */
const MAX_ATTEMPTS = 100
const WINDOW_MS = 3_600_000

/** How long a right password is remembered with the address that it came from. */
const SEEN_MS = 30 * 86_400_000

type Client = Omit<ClientKey, 'isThrottled'>

/** An attempt that is refused, with seconds until the next is allowed; or one that counts until it is taken back. */
export type Attempt = { wait: number } | { wait: undefined; takeBack(): Promise<void> }

/** Counts the wrong passwords of each account, known and unknown ones alike. */
export type LoginAttempts = {
  /** Counts an attempt before it is checked. */
  begin(client: Client): Promise<Attempt>
  /** The client's password was right: from now on only its own wrong ones count for it. */
  remember(client: Client): Promise<void>
  /** Nothing has been counted of an account, wherever from. */
  reset(account: string): Promise<void>
}

/** Of the same length whatever is sent. */
const digestOf = (text: string): string => hash('sha256', text, 'base64url')

const countedAs = (name: string): string => `attempts ${digestOf(name)}`
const placeOf = ({ name, address }: Client): string => `${digestOf(name)} ${digestOf(address)}`

/**
 * Attempts of all processes together. Those from an address at which the account has logged in lately are counted
 * apart: what others guess elsewhere locks nobody out there.
 */
export const createLoginAttempts = ({
  store,
  now,
}: {
  store: LoginTries
  now: () => number
}): LoginAttempts => {
  const isSeen = (client: Client): Promise<boolean> =>
    store.change(`seen ${placeOf(client)}`, (known) => ({
      tries: known,
      result: known !== undefined && known.nextAt > now(),
    }))

  const keyOf = async (client: Client): Promise<string> =>
    (await isSeen(client)) ? `attempts ${placeOf(client)}` : countedAs(client.name)

  return {
    begin: async (client) => {
      const key = await keyOf(client)
      const wait = await store.change(key, (known) => {
        const time = now()
        if (known === undefined || known.nextAt <= time)
          return { tries: { tries: 1, nextAt: time + WINDOW_MS, lastAt: time }, result: undefined }
        if (known.tries >= MAX_ATTEMPTS)
          return { tries: known, result: Math.ceil((known.nextAt - time) / 1000) }
        return { tries: { ...known, tries: known.tries + 1, lastAt: time }, result: undefined }
      })
      if (wait !== undefined) return { wait }
      const takeBack = () =>
        store.change(key, (known) => ({
          tries: known && known.tries > 1 ? { ...known, tries: known.tries - 1 } : undefined,
          result: undefined,
        }))
      return { wait, takeBack }
    },
    remember: (client) =>
      store.change(`seen ${placeOf(client)}`, () => {
        const time = now()
        return { tries: { tries: 0, nextAt: time + SEEN_MS, lastAt: time }, result: undefined }
      }),
    reset: (account) => store.forget(countedAs(account)),
  }
}
