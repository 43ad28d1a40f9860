import { describe, expect, test } from 'vitest'
import { afterFailure } from './deliver.js'

const NOW = new Date('2026-01-10T00:00:00Z')
const outcomeOf = (error: unknown, attempts: number, createdAt = NOW) =>
  afterFailure(error, { attempts, createdAt }, NOW)

const answered = (responseCode: number) =>
  Object.assign(new Error(`answer ${responseCode}`), { responseCode })

describe('a mail that could not be sent', () => {
  test.each([
    [1, 60],
    [2, 120],
    [5, 960],
    [30, 4 * 3600],
  ])('waits after attempt %i for %i seconds', (attempts, seconds) => {
    expect(outcomeOf(new Error('connection refused'), attempts)).toEqual({
      kind: 'later',
      error: 'connection refused',
      at: new Date(NOW.getTime() + seconds * 1000),
    })
  })

  test.each([
    [421, 'later'],
    [450, 'later'],
    [535, 'later'],
    [550, 'failed'],
    [554, 'failed'],
  ])('with answer %i: %s', (code, kind) => {
    expect(outcomeOf(answered(code), 1)).toMatchObject({ kind, error: `answer ${code}` })
  })

  test('is given up after four days', () => {
    expect(outcomeOf(new Error('no way'), 3, new Date('2026-01-06T01:00:00Z')).kind).toBe('later')
    expect(outcomeOf(new Error('no way'), 3, new Date('2026-01-05T23:00:00Z')).kind).toBe('failed')
  })
})
