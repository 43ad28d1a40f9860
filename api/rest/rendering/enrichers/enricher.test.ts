import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import { type EnricherCall, each } from './enricher.js'

test('documents are treated a few at a time, and answered in their order', async () => {
  const documents = Array.from({ length: 50 }, (_, index) => ({ id: String(index) }) as DocumentRecord)
  let running = 0
  let most = 0
  const enrich = each(async ({ id }) => {
    most = Math.max(most, ++running)
    await nextTurn()
    running -= 1
    return { id }
  })
  expect(await enrich({ documents } as unknown as EnricherCall)).toEqual(documents)
  expect(most).toBe(4)
})
