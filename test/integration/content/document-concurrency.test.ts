import { beforeEach, describe, expect, it } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import {
  changeToken,
  createDocument,
  getDocument,
  lockDocument,
  moveDocument,
  orderDocument,
  removeDocument,
  requireChangeToken,
  type Session,
  unlockDocument,
  updateDocument,
} from '../../../core/content/documents/index.js'
import { followTransition } from '../../../core/content/lifecycle/index.js'
import { createLiveProxy, publishDocument } from '../../../core/content/publishing/index.js'
import { emptyTrash, trashDocument, untrashDocument } from '../../../core/content/trash/index.js'
import { checkIn, getVersions, saveDocument } from '../../../core/content/versioning/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { createTestPlatform } from '../../support/platform.js'
import { documentTools, namesOf } from '../support/document-support.js'

const { platform } = await createTestPlatform()
const { as, events, sql } = documentTools({ platform })

type Work = (session: Session) => Promise<unknown>

let count = 0
let folder: DocumentRecord

const make = (parent: string, type: string, name: string): Promise<DocumentRecord> =>
  as((session) => createDocument(session, { parent, type, name }))
const read = (id: string) => as((session) => getDocument(session, id))
const find = (id: string) => as((session) => session.stores.documents.get(id))

beforeEach(async () => {
  folder = await make('/default-domain/workspaces', 'Workspace', `race-${count++}`)
  await events()
})

/** Each in a transaction of its own, all at once; how they ended, in order. */
const race = async (...works: readonly Work[]): Promise<string[]> => {
  const ends = await Promise.allSettled(works.map((work) => as(work)))
  return ends.map((end) => (end.status === 'fulfilled' ? 'done' : String(end.reason.code ?? end.reason)))
}

const times = (number: number, work: (index: number) => Work): Work[] =>
  Array.from({ length: number }, (_, index) => work(index))

const counted = (ends: readonly string[]): { [end: string]: number } =>
  Object.fromEntries([...new Set(ends)].map((end) => [end, ends.filter((other) => other === end).length]))

/** Every document has a path that is its parent's and its name, and its parent is there. */
const expectSoundTree = async (): Promise<void> => {
  const broken = await sql`
    SELECT d.id, d.path FROM documents d LEFT JOIN documents p ON p.id = d.parent_id
    WHERE d.parent_id IS NOT NULL
      AND (p.id IS NULL OR d.path <> CASE WHEN p.path = '/' THEN '/' ELSE p.path || '/' END || d.name)`
  expect(broken).toEqual([])
}

describe('names', () => {
  it('are given once: creations at once all succeed, under names of their own', async () => {
    const ends = await race(
      ...times(
        12,
        () => (session) => createDocument(session, { parent: folder.id, type: 'File', name: 'same' }),
      ),
    )
    expect(counted(ends)).toEqual({ done: 12 })
    const children = await as((session) => session.stores.children.list(folder.id))
    expect(new Set(children.map(({ name }) => name)).size).toBe(12)
    expect(children.filter(({ name }) => name === 'same')).toHaveLength(1)
    expect(namesOf(await events())).toHaveLength(12)
  })

  it('are given once: documents moved at once to one name', async () => {
    const files = await Promise.all(
      Array.from({ length: 6 }, (_, index) => make(folder.id, 'File', `f${index}`)),
    )
    const target = await make(folder.id, 'Folder', 'target')
    const ends = await race(
      ...files.map(
        ({ id }): Work =>
          async (session) =>
            moveDocument(session, await getDocument(session, id), { target: target.id, name: 'same' }),
      ),
    )
    expect(counted(ends)).toEqual({ done: 6 })
    const children = await as((session) => session.stores.children.list(target.id))
    expect(new Set(children.map(({ name }) => name)).size).toBe(6)
    await expectSoundTree()
  })
})

describe('moves', () => {
  it('never make a cycle: of two folders moved into each other one stays', async () => {
    for (let round = 0; round < 6; round++) {
      const [a, b] = [
        await make(folder.id, 'Folder', `a${round}`),
        await make(folder.id, 'Folder', `b${round}`),
      ]
      const inA = await make(a.id, 'Folder', 'in')
      const inB = await make(b.id, 'Folder', 'in')
      const move =
        (from: DocumentRecord, to: DocumentRecord): Work =>
        async (session) =>
          moveDocument(session, await getDocument(session, from.id), { target: to.id })
      const ends = await race(move(a, inB), move(b, inA))
      expect(ends.sort()).toEqual(['badRequest', 'done'])
    }
    await expectSoundTree()
  })

  it('of what is moved by somebody else at once happen one after the other', async () => {
    const moved = await make(folder.id, 'Folder', 'moved')
    await make(moved.id, 'File', 'below')
    const targets = await Promise.all(
      Array.from({ length: 5 }, (_, index) => make(folder.id, 'Folder', `to${index}`)),
    )
    const ends = await race(
      ...targets.map(
        (target): Work =>
          async (session) =>
            moveDocument(session, await getDocument(session, moved.id), { target: target.id }),
      ),
    )
    expect(counted(ends)).toEqual({ done: 5 })
    expect(namesOf(await events()).filter((event) => event === 'documentMoved')).toHaveLength(5)
    await expectSoundTree()
  })

  it('take along every child that is made meanwhile', async () => {
    const moved = await make(folder.id, 'Folder', 'moved')
    const target = await make(folder.id, 'Folder', 'target')
    const ends = await race(
      ...times(
        10,
        (index) => (session) =>
          createDocument(session, { parent: moved.id, type: 'File', name: `f${index}` }),
      ),
      async (session) => moveDocument(session, await getDocument(session, moved.id), { target: target.id }),
    )
    expect(counted(ends)).toEqual({ done: 11 })
    const children = await as((session) => session.stores.children.list(moved.id))
    expect(children.map(({ path }) => path).sort()).toEqual(
      Array.from({ length: 10 }, (_, index) => `${target.path}/moved/f${index}`),
    )
  })

  it('into a folder that is removed happen before, and go with it, or learn that it is gone', async () => {
    for (let round = 0; round < 6; round++) {
      const moved = await make(folder.id, 'File', `moved${round}`)
      const target = await make(folder.id, 'Folder', `target${round}`)
      const [move, remove] = await race(
        async (session) => moveDocument(session, await getDocument(session, moved.id), { target: target.id }),
        async (session) => removeDocument(session, await getDocument(session, target.id)),
      )
      expect(remove).toBe('done')
      expect(await find(target.id)).toBeUndefined()
      if (move === 'done') expect(await find(moved.id)).toBeUndefined()
      else expect([move, (await find(moved.id))?.path]).toEqual(['notFound', moved.path])
    }
    await expectSoundTree()
  })
})

describe('the removal of a tree', () => {
  it('leaves nothing of what is made and written in it meanwhile', async () => {
    for (let round = 0; round < 4; round++) {
      const tree = await make(folder.id, 'Folder', `tree${round}`)
      const sub = await make(tree.id, 'Folder', 'sub')
      const file = await make(sub.id, 'File', 'file')
      const ends = await race(
        ...times(
          6,
          (index) => (session) =>
            createDocument(session, { parent: sub.id, type: 'File', name: `f${index}` }),
        ),
        ...times(
          3,
          (index) => async (session) =>
            updateDocument(session, await getDocument(session, file.id), { 'dc:title': `t${index}` }),
        ),
        async (session) => removeDocument(session, await getDocument(session, tree.id)),
      )
      expect(ends.at(-1)).toBe('done')
      expect(ends.filter((end) => end !== 'done' && end !== 'notFound')).toEqual([])
      const left = await sql`
        SELECT path FROM documents WHERE path LIKE ${`${tree.path}%`} OR parent_id IN (${tree.id}, ${sub.id})`
      expect(left).toEqual([])
    }
    await expectSoundTree()
  })

  it('happens once', async () => {
    const tree = await make(folder.id, 'Folder', 'tree')
    const ends = await race(
      ...times(4, () => async (session) => removeDocument(session, await getDocument(session, tree.id))),
    )
    expect(counted(ends)).toEqual({ done: 1, notFound: 3 })
    expect(namesOf(await events()).filter((event) => event === 'documentRemoved')).toHaveLength(1)
  })
})

describe('one changeToken', () => {
  it('lets one of two writers through', async () => {
    const file = await make(folder.id, 'File', 'file')
    const token = changeToken(file)
    const ends = await race(
      ...times(5, (index) => async (session) => {
        const current = await getDocument(session, file.id)
        requireChangeToken(current, token)
        return updateDocument(session, current, { 'dc:title': `t${index}` })
      }),
    )
    expect(counted(ends)).toEqual({ done: 1, conflict: 4 })
    expect((await read(file.id)).userToken).toBe(1)
  })

  it('is not spent by what the product notes by itself', async () => {
    const file = await make(folder.id, 'File', 'file')
    await as(async (session) => lockDocument(session, await getDocument(session, file.id)))
    const current = await read(file.id)
    expect(() => requireChangeToken(current, changeToken(file))).not.toThrow()
  })
})

describe('locks', () => {
  const users = ['ann', 'ben', 'cid', 'dan'].map((name) => principalOf(name, ['administrators'], true))

  it('go to one of those who ask at once', async () => {
    const file = await make(folder.id, 'File', 'file')
    const ends = await Promise.allSettled(
      users.map((user) =>
        as(async (session) => lockDocument(session, await getDocument(session, file.id)), user),
      ),
    )
    const winners = users.filter((_, index) => ends[index]?.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    expect((await read(file.id)).lockOwner).toBe(winners[0]?.name)
    for (const end of ends)
      if (end.status === 'rejected')
        expect(end.reason).toMatchObject({
          code: 'conflict',
          message: expect.stringContaining(`already locked by ${winners[0]?.name}`),
        })
  })

  it('and changes of others exclude each other', async () => {
    const file = await make(folder.id, 'File', 'file')
    const ends = await race(
      async (session) => lockDocument(session, await getDocument(session, file.id)),
      ...times(4, () => async (session) => unlockDocument(session, await getDocument(session, file.id))),
      ...times(
        4,
        (index) => async (session) =>
          updateDocument(session, await getDocument(session, file.id), { 'dc:title': `t${index}` }),
      ),
    )
    expect(counted(ends)).toEqual({ done: 9 })
    expect((await read(file.id)).userToken).toBe(4)
  })
})

describe('the trash', () => {
  it('takes everything below, also what is made and changed meanwhile', async () => {
    for (let round = 0; round < 4; round++) {
      const tree = await make(folder.id, 'Folder', `tree${round}`)
      const file = await make(tree.id, 'File', 'file')
      const ends = await race(
        ...times(
          5,
          (index) => (session) =>
            createDocument(session, { parent: tree.id, type: 'File', name: `f${index}` }),
        ),
        ...times(
          3,
          (index) => async (session) =>
            updateDocument(session, await getDocument(session, file.id), { 'dc:title': `t${index}` }),
        ),
        async (session) => trashDocument(session, await getDocument(session, tree.id)),
      )
      expect(counted(ends)).toEqual({ done: 9 })
      const children = await as((session) => session.stores.children.list(tree.id))
      expect(children).toHaveLength(6)
      expect(children.every(({ isTrashed }) => isTrashed)).toBe(true)
      expect((await read(file.id)).userToken).toBe(3)
    }
    await expectSoundTree()
  })

  it('is entered once, and left once', async () => {
    const file = await make(folder.id, 'File', 'file')
    const trash: Work = async (session) => trashDocument(session, await getDocument(session, file.id))
    const untrash: Work = async (session) => untrashDocument(session, await getDocument(session, file.id))
    expect(counted(await race(trash, trash, trash, trash))).toEqual({ done: 4 })
    expect((await read(file.id)).name).toMatch(/^file\._\d+_\.trashed$/)
    expect(counted(await race(untrash, untrash, untrash))).toEqual({ done: 3 })
    expect(await read(file.id)).toMatchObject({ name: 'file', isTrashed: false })
    expect(namesOf(await events()).slice(1)).toEqual(['documentTrashed', 'documentUntrashed'])
  })

  it('is emptied of what nobody takes back meanwhile', async () => {
    for (let round = 0; round < 4; round++) {
      const file = await make(folder.id, 'File', `file${round}`)
      await as((session) => trashDocument(session, file))
      const [untrash, empty] = await race(
        async (session) => untrashDocument(session, await getDocument(session, file.id)),
        async (session) => emptyTrash(session, await getDocument(session, folder.id)),
      )
      expect(empty).toBe('done')
      const left = await find(file.id)
      if (untrash === 'done') expect(left).toMatchObject({ isTrashed: false, name: `file${round}` })
      else expect([untrash, left]).toEqual(['notFound', undefined])
    }
  })
})

describe('versions', () => {
  it('are made once for what did not change between', async () => {
    const file = await make(folder.id, 'File', 'file')
    const ends = await race(
      ...times(
        5,
        () => async (session) =>
          checkIn(session, await getDocument(session, file.id), { increment: 'MINOR' }),
      ),
    )
    expect(counted(ends)).toEqual({ done: 5 })
    expect(await as((session) => getVersions(session, file))).toHaveLength(1)
  })

  it('have numbers of their own, one of them the latest', async () => {
    const file = await make(folder.id, 'File', 'file')
    const ends = await race(
      ...times(
        6,
        (index) => async (session) =>
          saveDocument(
            session,
            await getDocument(session, file.id),
            { 'dc:title': `t${index}` },
            { increment: 'MINOR' },
          ),
      ),
    )
    expect(counted(ends)).toEqual({ done: 6 })
    const versions = await as((session) => getVersions(session, file))
    expect(new Set(versions.map(({ versionLabel }) => versionLabel)).size).toBe(6)
    expect(
      versions.filter(({ isLatestVersion }) => isLatestVersion).map(({ versionLabel }) => versionLabel),
    ).toEqual(['0.6'])
  })
})

describe('publishing', () => {
  const publish =
    (file: DocumentRecord, section: DocumentRecord): Work =>
    async (session) =>
      publishDocument(session, await getDocument(session, file.id), { target: section.id })

  it('the same document at once leaves one proxy, of the latest version', async () => {
    const file = await make(folder.id, 'File', 'file')
    const section = await make('/default-domain/sections', 'Section', `section-${count}`)
    const ends = await race(
      ...times(4, () => publish(file, section)),
      ...times(
        2,
        (index) => async (session) =>
          updateDocument(session, await getDocument(session, file.id), { 'dc:title': `t${index}` }),
      ),
    )
    expect(counted(ends)).toEqual({ done: 6 })
    await as(publish(file, section))
    const proxies = await as((session) => session.stores.children.list(section.id))
    expect(proxies).toHaveLength(1)
    const latest = (await as((session) => getVersions(session, file))).at(-1)
    expect(proxies[0]).toMatchObject({ proxyTargetId: latest?.id, properties: latest?.properties })
  })

  it('what is removed at once is there before it, and stays, or learns that it is gone', async () => {
    for (let round = 0; round < 4; round++) {
      const file = await make(folder.id, 'File', `file${round}`)
      const section = await make('/default-domain/sections', 'Section', `gone-${count}-${round}`)
      const [published, removed] = await race(publish(file, section), async (session) =>
        removeDocument(session, await getDocument(session, file.id)),
      )
      expect(removed).toBe('done')
      const proxies = await as((session) => session.stores.children.list(section.id))
      if (published === 'done') expect(await find(proxies[0]!.proxyTargetId!)).toBeDefined()
      else expect([published, proxies]).toEqual(['notFound', []])
    }
  })

  it('a live proxy shows the last change, however they came together', async () => {
    for (let round = 0; round < 4; round++) {
      const file = await make(folder.id, 'File', `live${round}`)
      const ends = await race(
        ...times(
          3,
          () => async (session) =>
            createLiveProxy(session, await getDocument(session, file.id), {
              target: '/default-domain/workspaces',
            }),
        ),
        ...times(
          3,
          (index) => async (session) =>
            updateDocument(session, await getDocument(session, file.id), { 'dc:title': `t${index}` }),
        ),
      )
      expect(counted(ends)).toEqual({ done: 6 })
      const target = await read(file.id)
      const proxies = await as((session) => session.stores.proxies.list(file.id))
      expect(proxies.map(({ properties }) => properties)).toEqual([1, 2, 3].map(() => target.properties))
    }
  })
})

it('orderings at once lose no child and no place', async () => {
  const ordered = await make(folder.id, 'OrderedFolder', 'ordered')
  const files: DocumentRecord[] = []
  for (const name of ['a', 'b', 'c', 'd', 'e']) files.push(await make(ordered.id, 'File', name))
  const ends = await race(
    ...files.map(
      ({ id }): Work =>
        async (session) =>
          orderDocument(session, await getDocument(session, id), await getDocument(session, files[2]!.id)),
    ),
  )
  expect(counted(ends)).toEqual({ done: 5 })
  const children = await as((session) => session.stores.children.list(ordered.id))
  expect(children.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4])
})

it('a folder and a child that follow transitions at once both end where one of the orders leads', async () => {
  const sub = await make(folder.id, 'Folder', 'sub')
  const file = await make(sub.id, 'File', 'file')
  const ends = await race(
    async (session) => followTransition(session, await getDocument(session, sub.id), 'approve'),
    async (session) => followTransition(session, await getDocument(session, file.id), 'obsolete'),
  )
  const state = (await read(file.id)).lifecycleState
  expect(ends[0]).toBe('done')
  expect([ends[1], state]).toEqual(ends[1] === 'done' ? ['done', 'obsolete'] : ['badRequest', 'approved'])
})
