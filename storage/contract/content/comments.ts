import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { principalOf, SYSTEM } from '../../../core/access/security/index.js'
import type { CommentsWanted } from '../../../core/content/stores/index.js'
import type { ContentBackend } from './backend.js'
import { createTree } from './tree.js'

/** What every store of comments must do. */
export const describeCommentStore = (name: string, backend: ContentBackend): void => {
  const tree = createTree(backend)
  const { comments } = backend.reading(SYSTEM)

  test(`${name}: comments are found by their properties, in order of their dates, page by page`, async () => {
    const folder = await tree.folder()
    const parentId = randomUUID()
    const comment = (child: string, day: number, wanted: object = {}) =>
      tree.create(folder, {
        name: child,
        type: 'Comment',
        properties: { 'comment:parentId': parentId, 'comment:creationDate': `2020-01-0${day}T00:00:00.000Z` },
        ...wanted,
      })
    await comment('second', 2)
    await comment('first', 1)
    await comment('third', 3, { type: 'Annotation' })
    await comment('trashed', 4, { isTrashed: true })
    const find = async (wanted: Partial<CommentsWanted>) => {
      const { entries, total } = await comments.list({
        principal: SYSTEM,
        properties: { 'comment:parentId': parentId },
        ...wanted,
      })
      return [entries.map((entry) => entry.name).join(' '), total]
    }
    expect(await find({})).toEqual(['first second third trashed', 4])
    expect(await find({ isNewestFirst: true, isTrashed: false })).toEqual(['third second first', 3])
    expect(await find({ type: 'Annotation' })).toEqual(['third', 1])
    expect(await find({ limit: 2, offset: 1 })).toEqual(['second third', 4])
    expect(await find({ limit: 2, offset: 10 })).toEqual(['', 4])
    expect(await find({ properties: { 'comment:parentId': randomUUID() } })).toEqual(['', 0])
    expect(await find({ principal: principalOf('ann', [], false) })).toEqual(['', 0])
  })
}
