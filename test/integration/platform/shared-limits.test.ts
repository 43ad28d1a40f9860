import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { createPlatform } from '../../../runtime/index.js'
import { createLoginTries } from '../../../storage/postgres/index.js'
import { addUser } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

/** Two processes on one database, which count together. */

const here = await createTestPlatform()
const other = await createPlatform(here.settings, pino({ level: 'silent' }))
afterAll(() => other.close())
const both = [here, other]

describe('open runs', () => {
  test('of one user are as many as the limit, however many begin at once, and where', async () => {
    const entered = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        both[index % 2]!.openRuns.enter({ username: 'ann', runId: `run-${index}`, max: 20 }),
      ),
    )
    expect(entered.filter((outcome) => outcome === 'entered')).toHaveLength(20)
    const [one, another] = await other.openRuns.entered('ann')
    expect(one?.ageMs).toBeGreaterThanOrEqual(0)
    await here.openRuns.leave([one!.runId])
    const enter = (runId: string) => other.openRuns.enter({ username: 'ann', runId, max: 20 })
    expect([await enter('next'), await enter('one more'), await enter(another!.runId)]).toEqual([
      'entered',
      'full',
      'known',
    ])
    expect(await here.openRuns.enter({ username: 'bob', runId: 'of-bob', max: 1 })).toBe('entered')
    const convert = (at: typeof here, runId: string) =>
      at.openConversions.enter({ username: 'bob', runId, max: 1 })
    expect([await convert(other, 'conversion'), await convert(here, 'another')]).toEqual(['entered', 'full'])
  })
})

describe('tries to log in', () => {
  test('are counted once, whoever is asked', async () => {
    const stores = both.map(({ database }) => createLoginTries(database.sql))
    const next = { nextAt: 1_000, lastAt: 1_000 }
    const counted = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        stores[index % 2]!.change('client', (known) => {
          const tries = (known?.tries ?? 0) + 1
          return { tries: { ...next, tries }, result: tries }
        }),
      ),
    )
    expect([...counted].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
    await stores[0]!.change('client', () => ({ tries: undefined, result: undefined }))
    expect(await stores[1]!.change('client', (known) => ({ tries: known, result: known }))).toBeUndefined()
  })

  test('slow a client down in each process by those in both', async () => {
    await addUser(here, 'cora')
    const wrong = (index: number) =>
      both[index % 2]!.authenticator.verify('cora', `wrong-${index}`, () => '::1')
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, (_, index) => wrong(index)))
    const checked = outcomes.filter(({ status }) => status === 'fulfilled')
    // Five for nothing, then those that fit into the longest wait.
    expect(checked.length).toBeLessThan(20)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'tooManyRequests' })
  })
})
