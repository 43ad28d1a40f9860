import { expect, test } from 'vitest'
import type { ListeningClient } from '../pool/index.js'
import { createListening } from './listening.js'

/** Listens on a connection on which an UNLISTEN fails. */
const endFailingWith = async (code: string): Promise<void> => {
  const client = {
    listen: async () => ({
      unlisten: () => Promise.reject(Object.assign(new Error(`failed with ${code}`), { code })),
    }),
    end: async () => undefined,
  } as unknown as ListeningClient
  const listening = createListening({ open: () => client, notify: async () => undefined, name: 'test' })
  const ignore = (): void => undefined
  const end = await listening.listen('channel', ignore, ignore)
  await end().finally(() => listening.close())
}

test.each(['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'ECONNRESET', '57P01', '08006'])(
  'a connection that is lost (%s) is listened to no more',
  async (code) => {
    await expect(endFailingWith(code)).resolves.toBeUndefined()
  },
)

test.each(['42501', '57014', 'XX000'])('any other failure to end it (%s) is one', async (code) => {
  await expect(endFailingWith(code)).rejects.toThrow(`failed with ${code}`)
})
