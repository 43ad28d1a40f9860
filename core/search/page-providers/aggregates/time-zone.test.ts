import { expect, test } from 'vitest'
import { fromLocal, isTimeZone, toLocal } from './time-zone.js'

test.each([
  ['UTC', '2015-07-01T00:00:00.000Z', '2015-07-01T00:00:00.000Z'],
  ['Europe/Paris', '2015-06-30T22:00:00.000Z', '2015-07-01T00:00:00.000Z'],
  ['Europe/Paris', '2015-12-31T23:00:00.000Z', '2016-01-01T00:00:00.000Z'],
  ['+05:30', '2015-06-30T18:30:00.000Z', '2015-07-01T00:00:00.000Z'],
  ['-0800', '2015-07-01T08:00:00.000Z', '2015-07-01T00:00:00.000Z'],
  // The days of the change of clocks.
  ['Europe/Paris', '2015-03-28T23:00:00.000Z', '2015-03-29T00:00:00.000Z'],
  ['Europe/Paris', '2015-03-29T22:00:00.000Z', '2015-03-30T00:00:00.000Z'],
  ['America/New_York', '2015-11-02T05:00:00.000Z', '2015-11-02T00:00:00.000Z'],
])('in %s it is at %s %s', (zone, instant, local) => {
  expect(toLocal(new Date(instant), zone).toISOString()).toBe(local)
  expect(fromLocal(new Date(local), zone).toISOString()).toBe(instant)
})

test.each([
  ['Europe/Paris', true],
  ['+02:00', true],
  ['Nowhere/Town', false],
  ['', false],
])('%j is a zone: %s', (zone, expected) => expect(isTimeZone(zone)).toBe(expected))
