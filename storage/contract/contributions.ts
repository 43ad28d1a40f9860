import { describe, expect, test } from 'vitest'
import {
  type ContributionStore,
  type NewContributionVersion,
  NO_MARK,
} from '../../core/platform/contributions/index.js'

const POINT = 'contract'

const version = (name: string, source = 'text'): NewContributionVersion => ({
  point: POINT,
  name,
  source,
  format: 'yaml',
  content: { source, list: [1, null, { deep: true }] },
  isDeleted: false,
  author: 'ann',
})

const newestMark = async (from: ContributionStore): Promise<string> =>
  (await from.changedSince(NO_MARK)).at(-1)?.mark ?? NO_MARK

/** Decides on the newest state, and again when it has moved. */
const append = async (to: ContributionStore, next: NewContributionVersion) => {
  for (;;) {
    const appended = await to.append(await newestMark(to), [next])
    if (appended) return appended[0]!
  }
}

/**
 * What every store of contributions must do.
 *
 * @param stores of two processes, which share nothing but what is stored.
 */
export const describeContributionStore = (
  name: string,
  [here, there]: readonly [ContributionStore, ContributionStore],
): void => {
  describe(`${name}: contributions`, () => {
    test('keep every version, numbered by name', async () => {
      const before = await newestMark(here)
      const first = await append(here, version('a', 'one'))
      const second = await append(here, version('a', 'two'))
      const deleted = await append(here, { ...version('b'), isDeleted: true })
      expect([first, second, deleted].map((row) => [row.name, row.version])).toEqual([
        ['a', 1],
        ['a', 2],
        ['b', 1],
      ])
      expect(first).toMatchObject({ ...version('a', 'one'), createdAt: expect.any(Date) })
      expect(await there.version(POINT, 'a', 1)).toEqual(first)
      expect(await there.newest(POINT, 'a')).toEqual(second)
      expect(await there.versions(POINT, 'a')).toEqual([second, first])
      expect(await there.newest('other', 'a')).toBeUndefined()
      expect(await there.version(POINT, 'a', 3)).toBeUndefined()
      expect(await there.changedSince(before)).toEqual([second, deleted])
      expect(await there.changedSince(second.mark)).toEqual([deleted])
      expect(await there.changedSince(deleted.mark)).toEqual([])
    })

    test('may have no content', async () => {
      const added = await append(here, { ...version('empty', ''), content: null })
      expect(added.content).toBeNull()
      expect(await there.newest(POINT, 'empty')).toEqual(added)
    })

    test('know the first version of a text that was not a deletion', async () => {
      const text = (source: string) => ({ point: POINT, name: 'texts', format: 'yaml' as const, source })
      await append(here, { ...version('texts', 'same'), isDeleted: true })
      await append(here, version('texts', 'same'))
      await append(here, version('texts', 'other'))
      await append(here, version('texts', 'same'))
      expect(await here.firstOfText(text('same'))).toBe(2)
      expect(await here.firstOfText(text('new'))).toBeUndefined()
    })

    test('are added all or none, and not on a basis that is no longer the newest', async () => {
      const basis = await newestMark(here)
      const added = await here.append(basis, [version('together-1'), version('together-2')])
      expect(added?.map(({ version: number }) => number)).toEqual([1, 1])
      expect(await there.append(basis, [version('late')])).toBeUndefined()
      expect(await there.newest(POINT, 'late')).toBeUndefined()
    })

    test('are numbered without gaps, with marks in order, under writers of two processes', async () => {
      const writers = [here, there, here, there]
      const added = await Promise.all(
        writers.flatMap((writer) => Array.from({ length: 5 }, () => append(writer, version('busy')))),
      )
      const inOrder = added.toSorted((a, b) => (a.mark < b.mark ? -1 : 1)).map((row) => row.version)
      expect(inOrder).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
      expect(new Set(added.map(({ mark }) => mark)).size).toBe(20)
    })

    test('are announced to other processes, until these no longer listen', async () => {
      let heard = 0
      const stop = await there.listen(() => {
        heard += 1
      })
      const before = heard
      await append(here, version('announced'))
      await expect.poll(() => heard).toBeGreaterThan(before)
      await stop()
    })
  })
}
