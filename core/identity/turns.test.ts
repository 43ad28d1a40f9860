import { expect, test } from 'vitest'
import { createTurns } from './turns.js'

const gate = () => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

test('so many run at once, the others in their order', async () => {
  const turns = createTurns({ atOnce: 2, maxWaiting: 3 })
  const gates = Array.from({ length: 5 }, gate)
  const begun: number[] = []
  const all = gates.map(({ opened }, index) =>
    turns(async () => {
      begun.push(index)
      await opened
      return index
    }),
  )
  await Promise.resolve()
  expect(begun).toEqual([0, 1])
  gates[1]?.open()
  await all[1]
  await expect.poll(() => begun).toEqual([0, 1, 2])
  for (const { open } of gates) open()
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4])
})

test('what fails gives its turn on', async () => {
  const turns = createTurns({ atOnce: 1, maxWaiting: 1 })
  const failing = turns(() => Promise.reject(new Error('no')))
  const next = turns(async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
  expect(await turns(async () => 'last')).toBe('last')
})

test('more than may wait are refused and not begun', async () => {
  const turns = createTurns({ atOnce: 1, maxWaiting: 1 })
  const { opened, open } = gate()
  const first = turns(() => opened)
  const second = turns(async () => 'second')
  await expect(turns(() => Promise.reject(new Error('begun')))).rejects.toMatchObject({ code: 'unavailable' })
  open()
  await first
  expect(await second).toBe('second')
})
