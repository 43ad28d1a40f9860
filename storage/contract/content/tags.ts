import { expect, test } from 'vitest'
import { principalOf, SYSTEM } from '../../../core/access/security/index.js'
import type { ContentBackend } from './backend.js'
import { createTree } from './tree.js'

const tagged = (...labels: string[]) => ({
  properties: { 'nxtag:tags': labels.map((label) => ({ label, username: 'ann' })) },
})

/** What every store of tags must do. */
export const describeTagStore = (name: string, backend: ContentBackend): void => {
  const tree = createTree(backend)
  const { tags } = backend.reading(SYSTEM)

  test(`${name}: labels of tags are those of documents that one may browse, each once, in order of their bytes`, async () => {
    const closed = await tree.folder()
    const folder = await tree.folder()
    const open = await tree.within((stores) =>
      stores.acls.setLocal(folder, [
        { name: 'local', aces: [{ username: 'ann', permission: 'Read', granted: true }] },
      ]),
    )
    await tree.create(open, tagged('t-b', 't-É', 'other'))
    await tree.create(open, tagged('t-b', 't-a', 't-B'))
    await tree.create(closed, tagged('t-closed'))
    await tree.create(open, { ...tagged('t-trashed'), isTrashed: true })
    const ann = principalOf('ann', [], false)
    const labels = (principal = ann, limit = 10) => tags.labels({ prefix: 't-', principal, limit })
    expect(await labels()).toEqual(['t-B', 't-a', 't-b', 't-É'])
    expect(await labels(ann, 2)).toEqual(['t-B', 't-a'])
    expect(await labels(SYSTEM)).toEqual(['t-B', 't-a', 't-b', 't-closed', 't-É'])
    expect(await labels(principalOf('bob', [], false))).toEqual([])
  })
}
