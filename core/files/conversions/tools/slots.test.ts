import { expect, test } from 'vitest'
import { createSlots } from './slots.js'

const isPending = async (promise: Promise<unknown>) =>
  (await Promise.race([promise, Promise.resolve('pending')])) === 'pending'

test('lets so many in and the others in order', async () => {
  const slots = createSlots(2)
  const [first, second] = await Promise.all([slots.acquire(), slots.acquire()])
  const entered: string[] = []
  const third = slots.acquire().then((release) => entered.push('third') && release)
  const fourth = slots.acquire().then((release) => entered.push('fourth') && release)
  expect(await isPending(third)).toBe(true)
  first!()
  await third
  expect(entered).toEqual(['third'])
  second!()
  await fourth
  expect(entered).toEqual(['third', 'fourth'])
})

test('a slot freed twice is one slot', async () => {
  const slots = createSlots(1)
  const release = await slots.acquire()
  release()
  release()
  await slots.acquire()
  expect(await isPending(slots.acquire())).toBe(true)
})

test('an abort leaves the queue and takes no slot', async () => {
  const slots = createSlots(1)
  const release = await slots.acquire()
  const controller = new AbortController()
  const waiting = slots.acquire(controller.signal)
  const next = slots.acquire()
  controller.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  release()
  expect(await next).toBeTypeOf('function')
  await expect(slots.acquire(AbortSignal.abort(new Error('late')))).rejects.toThrow('late')
})
