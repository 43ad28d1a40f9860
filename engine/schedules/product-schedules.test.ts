import { expect, test } from 'vitest'
import { productScheduleId } from './product-schedules.js'

test('installations with different task queues have schedules of their own', () => {
  expect(productScheduleId('archivolt-mail', 'archivolt')).toBe('archivolt-mail')
  expect(productScheduleId('archivolt-mail', 'second')).toBe('archivolt-mail-second')
})
