import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import type { ContentBackend } from './backend.js'
import { createTree, eventOf } from './tree.js'

/** What every store of versions must do. */
export const describeVersionStore = (name: string, backend: ContentBackend): void => {
  const tree = createTree(backend)
  const { versions } = backend.reading(SYSTEM)

  const withVersions = async (...numbers: [major: number, minor: number][]) => {
    const live = await tree.create(await tree.folder())
    for (const [major, minor] of numbers) {
      await tree.within((stores) =>
        stores.versions.markLatest({ ...live, versionSeriesId: live.id, isLatestMajorVersion: minor === 0 }),
      )
      await tree.version(live, major, minor)
    }
    return live
  }
  const marks = async (seriesId: string) =>
    (await versions.list(seriesId)).map(({ versionLabel, isLatestVersion, isLatestMajorVersion }) =>
      [versionLabel, isLatestVersion && 'latest', isLatestMajorVersion && 'major'].filter(Boolean).join(' '),
    )

  describe(`${name}: versions`, () => {
    test('are listed from the oldest on, by their numbers', async () => {
      const live = await withVersions([0, 1], [1, 0], [1, 1], [1, 10])
      expect(await marks(live.id)).toEqual(['0.1', '1.0 major', '1.1', '1.10 latest'])
      expect(await versions.latest(live.id)).toMatchObject({
        versionLabel: '1.10',
        isVersion: true,
        path: null,
      })
    })

    test('of a document without any are none', async () => {
      const live = await withVersions()
      expect(await versions.list(live.id)).toEqual([])
      expect(await versions.latest(live.id)).toBeUndefined()
    })

    test('keep the latest major one when a minor one behind it is removed', async () => {
      const live = await withVersions([1, 0], [2, 0], [2, 1], [2, 2])
      for (const remaining of [
        ['1.0', '2.0 major', '2.1 latest'],
        ['1.0', '2.0 latest major'],
      ]) {
        const latest = (await versions.latest(live.id))!
        await tree.within((stores) => stores.versions.remove(latest, []))
        expect(await marks(live.id)).toEqual(remaining)
      }
    })

    test('pass their marks on when the latest is removed', async () => {
      const live = await withVersions([1, 0], [1, 1], [2, 0])
      expect(await marks(live.id)).toEqual(['1.0', '1.1', '2.0 latest major'])
      const latest = (await versions.latest(live.id))!
      await tree.within((stores) => stores.versions.remove(latest, [eventOf('versionRemoved', live)]))
      expect(await marks(live.id)).toEqual(['1.0 major', '1.1 latest'])
      expect((await backend.events()).at(-1)).toMatchObject({ event: 'versionRemoved', documentId: live.id })
    })
  })
}
