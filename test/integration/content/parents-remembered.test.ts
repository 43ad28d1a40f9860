import { beforeEach, describe, expect, test } from 'vitest'
import { type Acl, principalOf, SYSTEM } from '../../../core/access/security/index.js'
import {
  createDocument,
  getDocument,
  moveDocument,
  removeDocument,
  type Session,
  setAcls,
  updateDocument,
} from '../../../core/content/documents/index.js'
import { trashDocument } from '../../../core/content/trash/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { createTestPlatform } from '../../support/platform.js'

const { platform } = await createTestPlatform()
const ANN = principalOf('ann', ['members'], false)

let folder: DocumentRecord
let number = 0

const inTransaction = (work: (session: Session) => Promise<unknown>) =>
  platform.withSession(SYSTEM, async (session) => {
    await work(session)
  })

const change = (work: (session: Session, held: DocumentRecord) => Promise<unknown>) =>
  inTransaction(async (session) => work(session, await getDocument(session, folder.id)))

const grant = (permission: string) =>
  change((session, held) =>
    setAcls(session, held, [{ name: 'local', aces: [{ username: 'ann', permission, granted: true }] }]),
  )

const createIn = (ref: string) =>
  platform.withSingleWrite(ANN, (session) =>
    createDocument(session, { parent: ref, name: `child-${number++}`, type: 'File' }),
  )

const remembered = (ref: string) =>
  platform.withSingleWrite(ANN, async (session) => session.parents?.get(ref))

beforeEach(async () => {
  await inTransaction(async (session) => {
    folder = await createDocument(session, { parent: '/', name: `folder-${number++}`, type: 'Folder' })
  })
  await grant('ReadWrite')
  await createIn(folder.id)
  expect(await remembered(folder.id)).toMatchObject({ id: folder.id })
})

describe('what has become of a parent that is remembered decides about its next child', () => {
  test('a change of its properties', async () => {
    await change((session, held) => updateDocument(session, held, { 'dc:title': 'Changed' }))
    const { path } = await createIn(folder.id)
    expect(path).toMatch(folder.path!)
    await createIn(folder.id)
    expect((await remembered(folder.id))?.properties).toMatchObject({ 'dc:title': 'Changed' })
  })

  test('another place', async () => {
    await change((session, held) => moveDocument(session, held, { target: '/default-domain' }))
    expect((await createIn(folder.id)).path).toMatch(`/default-domain/${folder.name}/child-`)
  })

  test('another document at its path', async () => {
    await createIn(folder.path!)
    let other: DocumentRecord | undefined
    await change((session, held) => removeDocument(session, held))
    await inTransaction(async (session) => {
      other = await createDocument(session, { parent: '/', name: folder.name, type: 'Folder' })
      await setAcls(session, other, [
        { name: 'local', aces: [{ username: 'ann', permission: 'ReadWrite', granted: true }] },
      ])
    })
    expect((await createIn(folder.path!)).parentId).toBe(other?.id)
  })

  test('the trash', async () => {
    await change((session, held) => trashDocument(session, held))
    expect((await createIn(folder.id)).isTrashed).toBe(true)
  })

  test('its removal', async () => {
    await change((session, held) => removeDocument(session, held))
    await expect(createIn(folder.id)).rejects.toMatchObject({ code: 'notFound', message: folder.id })
  })

  test('rights that are taken, and given again', async () => {
    await grant('Read')
    await expect(createIn(folder.id)).rejects.toMatchObject({ code: 'forbidden' })
    await grant('ReadWrite')
    await createIn(folder.id)
  })

  test('rights that are taken above it', async () => {
    const above = '/default-domain/workspaces'
    const setAt = (path: string, aces: Acl['aces']) =>
      inTransaction(async (session) =>
        setAcls(session, await getDocument(session, path), [{ name: 'local', aces }]),
      )
    const ace = { username: 'ann', permission: 'ReadWrite', granted: true }
    await setAt(above, [ace])
    await change((session, held) => moveDocument(session, held, { target: above }))
    await setAt(folder.id, [])
    await createIn(folder.id)
    await setAt(above, [{ ...ace, permission: 'Read' }])
    await expect(createIn(folder.id)).rejects.toMatchObject({ code: 'forbidden' })
  })
})
