import { expect, test } from 'vitest'
import { principalOf } from '../../../access/security/index.js'
import { createConversionQuota } from './conversion-quota.js'

const ann = principalOf('ann', [], false)

const held = () => {
  let end = (): void => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  return { end, work: () => over }
}

const elsewhere = (...ids: string[]) => ({ list: async () => ids, isOpen: async () => true })

test('conversions of the engine and of this process count together', async () => {
  const quota = createConversionQuota({ max: 2, runs: elsewhere('conversion-1') })
  const first = held()
  const running = quota.within(ann, first.work)
  await expect(quota.within(ann, async () => 'done')).rejects.toMatchObject({
    code: 'tooManyRequests',
    message: 'User ann has 2 open conversions, which is the maximum; wait for one to end',
  })
  await expect(quota.enter(ann, 'conversion-2')).rejects.toMatchObject({ code: 'tooManyRequests' })
  expect(await quota.within(principalOf('bob', [], true), async () => 'done')).toBe('done')
  first.end()
  await running
  expect(await quota.within(ann, async () => 'done')).toBe('done')
})

test('one that fails gives its place back', async () => {
  const quota = createConversionQuota({ max: 1, runs: elsewhere() })
  await expect(quota.within(ann, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await quota.within(ann, async () => 'done')).toBe('done')
})

test('an engine that cannot be asked holds nobody up, and those of this process count', async () => {
  const away = () => Promise.reject(new Error('away'))
  const quota = createConversionQuota({ max: 1, runs: { list: away, isOpen: away } })
  const first = held()
  const running = quota.within(ann, first.work)
  await expect(quota.within(ann, async () => 'done')).rejects.toMatchObject({ code: 'tooManyRequests' })
  first.end()
  await running
})
