import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Acl, EVERYONE, EVERYTHING, principalOf, SYSTEM } from '../../../core/access/security/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { CONTRACT_RULES } from '../rules/index.js'
import type { ContentBackend } from './backend.js'
import { createTree, insertIndexed, recordOf } from './tree.js'

const BLOCK = { username: EVERYONE, permission: EVERYTHING, granted: false }
const grant = (username: string, permission = 'Read') => ({ username, permission, granted: true })
const local = (...aces: Acl['aces'][number][]): Acl[] => [{ name: 'local', aces }]

/** What every store of ACLs must do, and what follows for whoever asks queries. */
export const describeAclStore = (name: string, backend: ContentBackend): void => {
  const tree = createTree(backend)
  const { acls } = backend.reading(SYSTEM)
  const set = (document: DocumentRecord, wanted: readonly Acl[]) =>
    tree.within((stores) => stores.acls.setLocal(document, wanted))
  const inForce = async (document: DocumentRecord) =>
    (await acls.effective((await tree.read(document))!.aclId)).map(
      ({ username, permission, granted }) => `${granted ? '' : '-'}${username}:${permission}`,
    )
  const finds = async (
    username: string,
    document: DocumentRecord,
    groups: string[] = [],
  ): Promise<boolean> => {
    const principal = principalOf(username, groups, false)
    const scope = { model: CONTRACT_RULES.model, principal, now: new Date() }
    const where = document.isVersion
      ? `ecm:versionVersionableId = '${document.versionSeriesId}'`
      : `ecm:path STARTSWITH '${document.path?.replace(/\/[^/]+$/, '')}'`
    const query = parseNxql(`SELECT * FROM Document WHERE ${where}`)
    return (await backend.reading(principal).queries.ids(query, scope, 100)).includes(document.id)
  }

  describe(`${name}: ACLs`, () => {
    test('are kept as they were set, in order', async () => {
      const folder = await tree.folder()
      const wanted: Acl[] = [
        {
          name: 'local',
          aces: [
            {
              ...grant('ann'),
              creator: 'root',
              begin: '2020-01-01T00:00:00.000Z',
              end: '2099-01-01T00:00:00.000Z',
            },
            { ...BLOCK, creator: null, begin: null, end: null, notify: true, comment: 'why' },
          ],
        },
        { name: 'a', aces: [{ ...grant('bob', 'Write'), creator: null, begin: null, end: null }] },
      ]
      expect(await acls.local(folder.id)).toEqual([])
      const changed = await set(folder, wanted)
      expect(changed).toMatchObject({ id: folder.id, systemToken: folder.systemToken + 1 })
      expect(await acls.local(folder.id)).toEqual(wanted)
      expect((await acls.acp(changed)).own).toEqual(wanted)
      await set(folder, [])
      expect(await acls.local(folder.id)).toEqual([])
    })

    test('are found by who has made their entries, at and below a path', async () => {
      const by = (creator: string) => [{ name: 'of', aces: [{ ...grant('ann'), creator }] }]
      const top = await set(await tree.folder(), by('Maker'))
      const inner = await tree.create(top, { type: 'Folder' })
      const file = await set(await tree.create(inner), by('Maker'))
      const beside = await set(await tree.folder({ name: `${top.name}-2` }), by('Maker'))
      await set(await tree.create(inner), by('Other'))
      const found = (path: string, more = {}) => acls.grantedBy('Maker', { path, limit: 10, ...more })
      const both = [top.id, file.id].toSorted()
      expect(await found(top.path!)).toEqual(both)
      expect(await found(inner.path!)).toEqual([file.id])
      expect(await found(beside.path!)).toEqual([beside.id])
      expect(await found(top.path!, { limit: 1 })).toEqual(both.slice(0, 1))
      expect(await found(top.path!, { after: both[0] })).toEqual(both.slice(1))
      expect(await acls.grantedBy('Maker', { limit: 10 })).toEqual([...both, beside.id].toSorted())
    })

    test('are in force below, up to a block', async () => {
      const top = await set(await tree.folder(), local(grant('ann')))
      const inner = await tree.create(top, { type: 'Folder' })
      const file = await tree.create(inner)
      expect(await inForce(file)).toEqual(['ann:Read'])
      await set(inner, local(grant('bob')))
      expect(await inForce(file)).toEqual(['bob:Read', 'ann:Read'])
      await set(inner, local(grant('bob'), BLOCK))
      expect(await inForce(file)).toEqual(['bob:Read', `-${EVERYONE}:${EVERYTHING}`])
      await set(top, local(grant('eve')))
      expect(await inForce(file)).toEqual(['bob:Read', `-${EVERYONE}:${EVERYTHING}`])
      await set(inner, [])
      expect(await inForce(file)).toEqual(['eve:Read'])
    })

    /** Creates a document with its first ACLs, and does more in the same transaction. */
    const createWith = (
      folder: DocumentRecord,
      wanted: readonly Acl[],
      more: () => Promise<unknown> = async () => undefined,
    ) =>
      tree.within(async (stores) => {
        const record = recordOf(folder, { aclId: folder.aclId })
        await insertIndexed(stores, record, { parent: folder })
        const event = { event: 'given', documentId: record.id, payload: {} }
        const changed = await stores.acls.setFirst(record, wanted, [event])
        await more()
        return { record, changed }
      })

    test('are the same when a new document gets them at once, whether or not others have such', async () => {
      const top = await set(await tree.folder(), local(grant('ann')))
      const wanted = [
        { name: 'routing', aces: [{ ...grant(randomUUID()), begin: '2020-01-01T00:00:00.000Z' }] },
      ]
      for (const _ of ['new', 'known']) {
        const { record, changed } = await createWith(top, wanted)
        expect(changed).toMatchObject({ id: record.id, systemToken: record.systemToken + 1 })
        expect(changed).toEqual(await tree.read(record))
        expect(await acls.local(record.id)).toMatchObject(wanted)
        expect(await inForce(record)).toEqual([`${wanted[0]!.aces[0]!.username}:Read`, 'ann:Read'])
        expect(await finds(wanted[0]!.aces[0]!.username, record)).toBe(true)
        expect((await backend.events()).at(-1)).toMatchObject({ event: 'given', documentId: record.id })
        await set((await tree.read(top))!, local(grant('bob')))
        expect(await inForce(record)).toEqual([`${wanted[0]!.aces[0]!.username}:Read`, 'bob:Read'])
        await set((await tree.read(top))!, local(grant('ann')))
      }
    })

    test('of new documents in one folder do not wait for each other, and a change above waits for them', async () => {
      const top = await set(await tree.folder(), local(grant('ann')))
      const wanted = local(grant('zoe'))
      await createWith(top, wanted)
      let change: Promise<unknown> = Promise.resolve()
      const { record } = await createWith(top, wanted, async () => {
        await createWith(top, wanted)
        change = set(top, local(grant('bob')))
      })
      await change
      expect(await inForce(record)).toEqual(['zoe:Read', 'bob:Read'])
    })

    test.each(['ab', 'a-b', 'a.b'])('beside a and %s are apart when one above them changes', async (name) => {
      const top = await set(await tree.folder(), local(grant('ann')))
      const open = await tree.create(top, { type: 'Folder', name })
      const closed = await tree.create(top, { type: 'Folder', name: 'a' })
      const inner = await tree.create(closed)
      await set(open, local(grant('bob')))
      await set(closed, local(BLOCK))
      await set(inner, local(grant('eve')))
      await set((await tree.read(top))!, local(grant('zoe')))
      expect(await inForce(open)).toEqual(['bob:Read', 'zoe:Read'])
      expect(await inForce(closed)).toEqual([`-${EVERYONE}:${EVERYTHING}`])
      expect(await inForce(inner)).toEqual(['eve:Read', `-${EVERYONE}:${EVERYTHING}`])
    })

    test('decide at once what queries find of versions', async () => {
      const top = await set(await tree.folder(), local(grant('ann')))
      const folder = await tree.create(top, { type: 'Folder' })
      const live = await tree.create(folder)
      const version = await tree.version(live, 1, 0)
      expect([await finds('ann', live), await finds('ann', version)]).toEqual([true, true])
      await set(folder, local(BLOCK))
      expect([await finds('ann', live), await finds('ann', version)]).toEqual([false, false])
      await set(live, local(grant('ann')))
      expect([await finds('ann', live), await finds('ann', version)]).toEqual([true, true])
    })

    test('of a version are those of its live document', async () => {
      const live = await tree.create(await set(await tree.folder(), local(grant('ann'))))
      const version = await tree.version(live, 1, 0)
      await set(live, local(grant('bob')))
      const { own, inForce: found } = await acls.acp((await tree.read(version))!)
      expect(own).toMatchObject(local(grant('bob')))
      expect(found.map(({ username }) => username)).toEqual(['bob', 'ann'])
      expect(await inForce(version)).toEqual(['bob:Read', 'ann:Read'])
    })

    test('decide at once what queries find: by user, by group, the first entry first, between their dates', async () => {
      const top = await tree.folder()
      const file = await tree.create(top)
      expect(await finds('ann', file)).toBe(false)
      await set(top, local(grant('ann'), grant('staff', 'ReadWrite')))
      expect([
        await finds('ann', file),
        await finds('bob', file),
        await finds('bob', file, ['staff']),
      ]).toEqual([true, false, true])
      await set(top, local({ ...grant('bob'), granted: false }, grant('staff')))
      expect([await finds('bob', file, ['staff']), await finds('eve', file, ['staff'])]).toEqual([
        false,
        true,
      ])
      const [past, later] = ['2001-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z']
      await set(
        top,
        local(
          { ...grant('ann'), end: past },
          { ...grant('bob'), begin: later },
          { ...grant('eve'), begin: past, end: later },
        ),
      )
      expect([await finds('ann', file), await finds('bob', file), await finds('eve', file)]).toEqual([
        false,
        false,
        true,
      ])
      await set(top, local(grant('ann', 'Write')))
      expect(await finds('ann', file)).toBe(false)
    })
  })
}
