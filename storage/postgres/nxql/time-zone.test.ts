import { expect, test } from 'vitest'
import { timeZoneText } from './time-zone.js'

test.each([
  ['+02:00', '-02:00'],
  ['-05', '+05'],
  ['Europe/Paris', 'Europe/Paris'],
])('%s is %s to the database', (zone, expected) => expect(timeZoneText(zone)).toBe(expected))
