import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import type { ContentBackend } from './backend.js'
import { createTree } from './tree.js'

/** What every store of proxies must do. */
export const describeProxyStore = (name: string, backend: ContentBackend): void => {
  const tree = createTree(backend)
  const { proxies } = backend.reading(SYSTEM)

  describe(`${name}: proxies`, () => {
    test('are those of a live document and of its versions, by path', async () => {
      const [a, b] = [
        await tree.folder({ name: `a-${randomUUID()}` }),
        await tree.folder({ name: `b-${randomUUID()}` }),
      ]
      const live = await tree.create(a)
      const version = await tree.version(live, 1, 0)
      const inB = await tree.proxy(live, b)
      const inA = await tree.proxy(version, a)
      expect((await proxies.list(live.id)).map(({ id }) => id)).toEqual([inA.id, inB.id])
      expect((await proxies.list(live.id, b.id)).map(({ id }) => id)).toEqual([inB.id])
      expect(await proxies.list(randomUUID())).toEqual([])
    })

    test('follow what changes in what they show, but keep their place', async () => {
      const folder = await tree.folder()
      const live = await tree.create(folder, { properties: { 'dc:title': 'old' } })
      const proxy = await tree.proxy(live, folder)
      await tree.within((stores) =>
        stores.documents.update(
          {
            id: live.id,
            properties: { 'dc:title': 'new', 's:size': 3 },
            columns: { lifecycleState: 'approved', lockOwner: 'ann' },
            isUserChange: true,
          },
          [],
        ),
      )
      expect(await tree.read(proxy)).toMatchObject({
        path: proxy.path,
        name: proxy.name,
        proxyTargetId: live.id,
        lifecycleState: 'approved',
        lockOwner: 'ann',
        properties: { 'dc:title': 'new', 's:size': 3 },
      })
    })

    test('have no target that is gone', async () => {
      expect(await tree.within((stores) => stores.proxies.holdTarget(randomUUID()))).toBeUndefined()
    })
  })
}
