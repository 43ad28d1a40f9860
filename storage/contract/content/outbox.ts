import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import type { ContentBackend } from './backend.js'

/** What every outbox must do. */
export const describeOutbox = (name: string, backend: ContentBackend): void => {
  const event = (text: string, documentId: string | null) => ({
    event: text,
    documentId,
    payload: { text, n: 1 },
  })

  test(`${name}: events are kept in order, with who caused them, unless their transaction fails`, async () => {
    const id = randomUUID()
    const ann = principalOf('ann', [], false)
    await backend.transaction(ann, async ({ stores }) => {
      await stores.outbox.emit([event('one', id), event('two', null)])
      await stores.outbox.emit([event('three', id)])
    })
    const failing = backend.transaction(ann, async ({ stores }) => {
      await stores.outbox.emit([event('four', id)])
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    expect((await backend.events()).slice(-3)).toEqual([
      { ...event('one', id), principal: 'ann' },
      { ...event('two', null), principal: 'ann' },
      { ...event('three', id), principal: 'ann' },
    ])
  })
}
