import { expect, test } from 'vitest'
import { createSlots } from '../tools/slots.js'
import type { EngineJob } from './engine.js'
import { limited } from './limited.js'

const job: EngineJob = {
  input: '/source',
  sourceMimeType: 'video/mp4',
  sourceEncoding: null,
  folder: '/',
  parameters: {},
}

test('no more jobs run at once than there are slots, and a failed one frees its slot', async () => {
  let running = 0
  let most = 0
  const engine = limited(async () => {
    running++
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
    throw new Error('broken')
  }, createSlots(2))
  const ends = await Promise.allSettled(Array.from({ length: 5 }, () => engine(job)))
  expect([most, ends.map(({ status }) => status)]).toEqual([2, Array(5).fill('rejected')])
})
