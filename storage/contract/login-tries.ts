import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { LoginTries, Tries } from '../../core/access/identity/index.js'

const NOW = Date.UTC(2030, 0, 1)
const triesOf = (tries: number): Tries => ({ tries, nextAt: NOW + tries * 1_000, lastAt: NOW })

/**
 * What every store of tries to log in must do.
 *
 * @param stores of two processes, which share nothing but what is stored.
 */
export const describeLoginTries = (name: string, [here, there]: readonly [LoginTries, LoginTries]): void => {
  const known = (store: LoginTries, client: string): Promise<Tries | undefined> =>
    store.change(client, (tries) => ({ tries, result: tries }))
  const set = (store: LoginTries, client: string, tries: Tries | undefined): Promise<void> =>
    store.change(client, () => ({ tries, result: undefined }))
  const countOne = (store: LoginTries, client: string): Promise<number> =>
    store.change(client, (before) => {
      const tries = (before?.tries ?? 0) + 1
      return { tries: triesOf(tries), result: tries }
    })

  describe(`${name}: tries to log in`, () => {
    test('are kept for each client, in all processes, until they are forgotten', async () => {
      const [client, other] = [randomUUID(), randomUUID()]
      expect(await known(here, client)).toBeUndefined()
      await set(here, client, triesOf(3))
      expect(await known(there, client)).toEqual(triesOf(3))
      expect(await known(there, other)).toBeUndefined()
      await set(there, client, undefined)
      expect(await known(here, client)).toBeUndefined()
      await set(here, client, undefined)
    })

    test('are changed one at a time, by whichever process', async () => {
      const client = randomUUID()
      const counted = await Promise.all(
        Array.from({ length: 20 }, (_, n) => countOne(n % 2 === 0 ? here : there, client)),
      )
      expect(counted.toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: 20 }, (_, n) => n + 1),
      )
      expect(await known(here, client)).toEqual(triesOf(20))
    })

    test('stay as they are where a change leaves them, or fails', async () => {
      const client = randomUUID()
      await set(here, client, triesOf(1))
      const failing = here.change(client, () => {
        throw new Error('undone')
      })
      await expect(failing).rejects.toThrow('undone')
      expect(await known(here, client)).toEqual(triesOf(1))
      expect(await countOne(here, client)).toBe(2)
    })

    test('are forgotten by the beginning of a key, taken as it is', async () => {
      const account = `50%_\\${randomUUID()}`
      const keys = [`${account} one`, `${account} two`, `x${account} one`, `50xx${account.slice(4)} one`]
      for (const key of keys) await set(here, key, triesOf(1))
      await there.forget(`${account} `)
      const left = await Promise.all(keys.map(async (key) => (await known(here, key)) !== undefined))
      expect(left).toEqual([false, false, true, true])
    })
  })
}
