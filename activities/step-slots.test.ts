import { describe, expect, test } from 'vitest'
import { principalOf, SYSTEM } from '../core/access/security/index.js'
import { createStepSlots } from './step-slots.js'

const [ann, bob] = [principalOf('ann', [], false), principalOf('bob', [], false)]
const FULL = { code: 'tooManyRequests', retryable: true, message: expect.stringContaining('ann') }

/** Work that lasts until its end is called. */
const lasting = () => {
  let end = (): void => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  return { end, work: () => over }
}

describe('a user at the limit', () => {
  test.each([true, false])('gets the slot back after each step, well or not: local %s', async (isLocal) => {
    const slots = createStepSlots(1)
    const step = { principal: ann, isLocal }
    for (let index = 0; index < 3; index++) {
      expect(await slots.within(step, async () => index)).toBe(index)
      await expect(slots.within(step, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    }
  })

  test('is refused one more step, which others are not, nor local steps beside queued ones', async () => {
    const slots = createStepSlots(4)
    const steps = Array.from({ length: 3 }, lasting)
    const running = steps.map(({ work }) => slots.within({ principal: ann, isLocal: false }, work))
    const more = (principal: typeof ann, isLocal: boolean) =>
      slots.within({ principal, isLocal }, async () => 'done')
    await expect(more(ann, false)).rejects.toMatchObject(FULL)
    expect([await more(bob, false), await more(ann, true)]).toEqual(['done', 'done'])
    steps[0]?.end()
    await running[0]
    expect(await more(ann, false)).toBe('done')
    for (const { end } of steps) end()
    await Promise.all(running)
  })
})

test('an administrator is counted nowhere', async () => {
  const slots = createStepSlots(1)
  const steps = Array.from({ length: 3 }, lasting)
  const running = steps.map(({ work }) => slots.within({ principal: SYSTEM, isLocal: true }, work))
  expect(await slots.within({ principal: ann, isLocal: true }, async () => 'done')).toBe('done')
  for (const { end } of steps) end()
  await Promise.all(running)
})
