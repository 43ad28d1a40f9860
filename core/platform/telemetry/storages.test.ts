import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { restStorages, usingStorages } from './storages.js'

const gate = (): [Promise<void>, () => void] => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return [opened, open]
}

test('a storage rests when the last work in it has ended, and wakes again', async () => {
  const storage = new AsyncLocalStorage<string>()
  restStorages(storage)
  const [first, end] = gate()
  const seen: (string | undefined)[] = []
  const long = usingStorages(() =>
    storage.run('long', async () => {
      await first
      seen.push(storage.getStore())
    }),
  )
  await usingStorages(() => storage.run('short', async () => undefined))
  await nextTurn()
  end()
  await long
  expect(seen).toEqual(['long'])

  const [late, go] = gate()
  const after = storage.run('left', async () => {
    await late
    return storage.getStore()
  })
  await usingStorages(async () => undefined)
  await nextTurn()
  go()
  // Since version 24 a promise keeps what it began with, at no cost to others.
  const isKept = Number.parseInt(process.versions.node, 10) >= 24
  expect(await after).toBe(isKept ? 'left' : undefined)
  expect(storage.run('again', () => storage.getStore())).toBe('again')
})
