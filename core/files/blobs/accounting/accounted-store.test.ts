import { expect, test, vi } from 'vitest'
import type { BlobOwner, BlobStore, WriteOptions } from '../types.js'
import { createAccountedStore } from './accounted-store.js'

const blob = { key: 'a'.repeat(64), digest: 'b'.repeat(32), digestAlgorithm: 'MD5', length: 5 } as const

const bench = (quotas: { user?: number; total?: number }) => {
  const usage = vi.fn(async () => ({ own: 0, total: 0 }))
  const record = vi.fn(async () => undefined)
  const write = async (_: unknown, { accounting }: WriteOptions = {}) => {
    accounting?.receive(5)
    await accounting?.confirm(blob)
    return blob
  }
  const store = createAccountedStore({ write } as unknown as BlobStore, {
    ledger: { usage, record } as never,
    quotas: { user: quotas.user, total: quotas.total },
  })
  return { store, usage, record }
}

const ann: BlobOwner = { name: 'ann', isAdministrator: false }
const admin: BlobOwner = { name: 'Administrator', isAdministrator: true }

test.each([
  ['a user with a quota', { user: 10 }, ann, 2],
  ['an administrator, whom no quota of one user limits', { user: 10 }, admin, 0],
  ['the product itself', { user: 10 }, undefined, 0],
  ['an administrator within a quota of all', { user: 10, total: 10 }, admin, 2],
  ['a user without a quota', {}, ann, 0],
])('%s: what is stored is looked at where a quota limits it', async (_, quotas, owner, looks) => {
  const { store, usage, record } = bench(quotas)
  await store.write(Buffer.from('bytes'), { owner })
  expect([usage.mock.calls.length, record.mock.calls.length]).toEqual([looks, 1])
})
