import { expect, test } from 'vitest'
import { mergeContributions } from '../../platform/contributions/index.js'
import { schedulesPoint, schedulesRegistry } from './index.js'

const merged = (...texts: string[]) =>
  mergeContributions(
    texts.map((text, index) => ({ file: `${index}.yaml`, text })),
    [schedulesPoint],
  )
const scheduleOf = (...texts: string[]) =>
  schedulesRegistry
    .build(merged(...texts), {
      get: () => {
        throw new Error('it asks for no other registry')
      },
    })
    .get('s')

const GOOD = 'schedules: { s: { chain: c, cron: 0 3 * * * } }'

test('what is not said is the default', () => {
  expect(scheduleOf(GOOD)).toEqual({
    name: 's',
    chain: 'c',
    cron: '0 3 * * *',
    calendars: [{ second: [0], minute: [0], hour: [3] }],
    timezone: 'UTC',
    params: {},
    overlap: 'skip',
    catchUpMinutes: 10,
  })
})

test.each([
  ['default', undefined],
  ['archive', 'archive'],
])('the repository %s', (repository, expected) => {
  expect(scheduleOf(GOOD, `schedules: { s: { repository: ${repository} } }`)?.repository).toBe(expected)
})

test('a later file changes a part of it, or switches it off', () => {
  expect(scheduleOf(GOOD, 'schedules: { s: { timezone: europe/berlin } }')).toMatchObject({
    chain: 'c',
    timezone: 'Europe/Berlin',
  })
  expect(scheduleOf(GOOD, 'schedules: { s: { enabled: false } }')).toBeUndefined()
})

test.each([
  ['cron: 0 3 * * *', 's: chain: is missing'],
  ['chain: c', 'cron: is missing'],
  ['chain: c, event: e, cron: 0 3 * * *', 'event: stands beside a chain'],
  ['event: documentCreated, cron: 0 3 * * *', 'event: documentCreated is an event of the product'],
  ['event: user_created, cron: 0 3 * * *', 'event: user_created is an event of the product'],
  ['event: e, cron: 0 3 * * *, input: /a', 'input: an event takes none'],
  ['event: e, cron: 0 3 * * *, params: { a: b }', 'params: an event takes none'],
  ['chain: c, cron: 0 25 * * *', 'cron: hour: expected 0 to 23, found "25"'],
  ['chain: c, cron: 0 3 * * *, timezone: Mars/Olympus', 'timezone: there is no time zone "Mars/Olympus"'],
  ['chain: c, cron: 0 3 * * *, timezone: "+01:00"', 'timezone: there is no time zone "+01:00"'],
  ['chain: c, cron: 0 3 * * *, input: folder', 'input: expected the path or the id of a document'],
  ['chain: c, cron: 0 3 * * *, overlap: never', 'overlap: '],
  ['chain: c, cron: 0 3 * * *, catchUpMinutes: 100000', 'catchUpMinutes: '],
])('is refused: %s', (content, message) => {
  expect(() => merged(`schedules: { s: { ${content} } }`)).toThrow(
    expect.objectContaining({ message: expect.stringContaining(message.replace(/^s: /, '')) }),
  )
})
