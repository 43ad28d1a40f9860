import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { OpenRunStore } from '../../core/automation/run-store/index.js'

/**
 * What every store of open runs must do.
 *
 * @param stores of runs in two processes, and one of another kind beside them.
 */
export const describeOpenRuns = (
  name: string,
  { runs: [here, there], others }: { runs: readonly [OpenRunStore, OpenRunStore]; others: OpenRunStore },
): void => {
  const userOf = () => ({ username: randomUUID(), max: 2 })
  const idsOf = async (store: OpenRunStore, username: string): Promise<string[]> =>
    (await store.entered(username)).map(({ runId }) => runId).toSorted()

  describe(`${name}: open runs`, () => {
    test('are counted up to the quota of their user, in all processes together', async () => {
      const user = userOf()
      const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()]
      expect(await here.enter({ ...user, runId: one })).toBe('entered')
      expect(await there.enter({ ...user, runId: two })).toBe('entered')
      expect(await here.enter({ ...user, runId: three })).toBe('full')
      expect(await idsOf(there, user.username)).toEqual([one, two].toSorted())
      expect(await here.enter({ ...userOf(), runId: three })).toBe('entered')
    })

    test('that are known are counted once, also by a user who has reached the quota', async () => {
      const user = userOf()
      const [one, two] = [randomUUID(), randomUUID()]
      for (const runId of [one, two]) await here.enter({ ...user, runId })
      expect([await here.enter({ ...user, runId: one }), await there.enter({ ...user, runId: two })]).toEqual(
        ['known', 'known'],
      )
      expect(await idsOf(here, user.username)).toHaveLength(2)
    })

    test('make room when they have ended', async () => {
      const user = userOf()
      const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()]
      for (const runId of [one, two]) await here.enter({ ...user, runId })
      await there.leave([one, randomUUID()])
      await there.leave([])
      expect(await idsOf(here, user.username)).toEqual([two])
      expect(await here.enter({ ...user, runId: three })).toBe('entered')
    })

    test('of one user are never more than the quota, however many begin at once', async () => {
      const user = userOf()
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, n) => (n % 2 ? here : there).enter({ ...user, runId: randomUUID() })),
      )
      expect(outcomes.filter((outcome) => outcome === 'entered')).toHaveLength(2)
      expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(8)
    })

    test('say how long they have been open', async () => {
      const user = userOf()
      await here.enter({ ...user, runId: randomUUID() })
      const age = async () => (await there.entered(user.username))[0]!.ageMs
      const before = await age()
      expect(before).toBeGreaterThanOrEqual(0)
      await expect.poll(age).toBeGreaterThan(before)
    })

    test('of another kind have a quota and a list of their own', async () => {
      const user = { ...userOf(), max: 1 }
      const [run, other] = [randomUUID(), randomUUID()]
      expect(await here.enter({ ...user, runId: run })).toBe('entered')
      expect(await others.enter({ ...user, runId: other })).toBe('entered')
      expect([await idsOf(here, user.username), await idsOf(others, user.username)]).toEqual([[run], [other]])
    })
  })
}
