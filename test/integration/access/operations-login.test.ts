import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVERYONE, EVERYTHING } from '../../../core/access/security/index.js'
import { type ChainStep, createRegistry, type Value } from '../../../core/automation/language/index.js'
import { operations } from '../../../core/automation/operations/index.js'
import { planChain } from '../../../core/automation/planning/index.js'
import { setAcls } from '../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import {
  ADMINISTRATOR,
  ANN,
  type Call,
  createOperationBench,
  idsOf,
  input,
} from '../support/operations-support.js'

const { platform, close, run, chain, create, read } = await createOperationBench()
afterAll(close)

let closed: DocumentRecord
let open: DocumentRecord

beforeAll(async () => {
  open = await create('/default-domain/workspaces', 'Folder', 'open')
  closed = await create('/default-domain/workspaces', 'Folder', 'closed')
  await platform.withSession(ADMINISTRATOR, async (session) => {
    await setAcls(session, open, [
      { name: 'local', aces: [{ username: 'ann', permission: 'ReadWrite', granted: true }] },
    ])
    await setAcls(session, closed, [
      { name: 'local', aces: [{ username: EVERYONE, permission: EVERYTHING, granted: false }] },
    ])
  })
})

const LOGIN = { operation: 'Auth.LoginAs', params: {} }
const LOGOUT = { operation: 'Auth.Logout', params: {} }
const LOOK = { operation: 'Repository.GetDocument', params: { value: '/default-domain/workspaces/closed' } }
const as = (name: string): ChainStep => ({ operation: 'Auth.LoginAs', params: { name } })
const note = (xpath: string): ChainStep => ({
  operation: 'Document.SetProperty',
  params: { xpath, value: 'expr:CurrentUser.name' },
})

const asAnn = (steps: readonly ChainStep[], call: Call = {}, others = {}) =>
  chain(steps, { as: ANN, ...call }, others)

describe('Auth.LoginAs', () => {
  it('gives the steps that follow all rights, or those of a user', async () => {
    await expect(asAnn([LOOK])).rejects.toMatchObject({ code: 'notFound' })
    for (const login of [LOGIN, as('Administrator')])
      expect(await asAnn([login, LOOK])).toMatchObject({ id: closed.id })
    await expect(chain([as('ann'), LOOK])).rejects.toMatchObject({ code: 'notFound' })
    await expect(
      chain([
        as('ann'),
        {
          operation: 'Repository.Query',
          params: { query: "SELECT * FROM Folder WHERE ecm:name = 'closed'" },
        },
      ]).then(idsOf),
    ).resolves.toEqual([])
  })

  it('is what expressions, authors and events say, until Auth.Logout', async () => {
    const output = await asAnn(
      [
        note('dc:source'),
        as('Administrator'),
        note('dc:rights'),
        LOGIN,
        note('dc:format'),
        LOGOUT,
        note('dc:coverage'),
        LOGOUT,
        note('dc:language'),
        LOGOUT,
        note('dc:publisher'),
      ],
      { input: input(open) },
    )
    expect(output).toEqual({ type: 'document', id: open.id, isOfOthers: true })
    const { properties } = await read(open.id)
    expect(properties).toMatchObject({
      'dc:source': 'ann',
      'dc:rights': 'Administrator',
      'dc:format': 'system',
      'dc:coverage': 'Administrator',
      'dc:language': 'ann',
      'dc:publisher': 'ann',
      'dc:contributors': expect.arrayContaining(['ann', 'system']),
    })
    const events = await platform.database.sql<{ principal: string }[]>`
      SELECT DISTINCT principal FROM outbox WHERE document_id = ${open.id} AND event = 'documentModified'`
    expect(events.map(({ principal }) => principal).sort()).toEqual(['Administrator', 'ann', 'system'])
  })

  it('without a name is the system, whomever the caller names', async () => {
    const call: Call = {
      input: input(open),
      params: { name: 'Administrator' },
      variables: { name: { type: 'string', value: 'Administrator' } },
    }
    expect(await asAnn([LOGIN, note('dc:rights')], call)).toMatchObject({ id: open.id })
    expect((await read(open.id)).properties['dc:rights']).toBe('system')
  })

  it('has nothing stand in for what its steps leave out, until Auth.Logout', async () => {
    const create = { operation: 'Document.Create', params: { type: 'Folder' } }
    const call: Call = {
      input: input(open),
      params: { name: 'of-the-caller' },
      variables: { properties: { type: 'json', value: { 'dc:title': 'of the caller' } } },
    }
    const madeBy = async (steps: readonly ChainStep[], others = {}) => {
      const made = await asAnn(steps, call, others)
      const { name, properties } = await read(made.type === 'document' ? made.id : '')
      return [name, properties['dc:title']]
    }
    const inner = { operation: 'inner', params: {} }
    for (const made of [await madeBy([LOGIN, create]), await madeBy([LOGIN, inner], { inner: [create] })])
      expect(made).not.toContainEqual(expect.stringMatching(/caller/))
    expect(await madeBy([LOGIN, LOGOUT, create])).toEqual(['of-the-caller', 'of the caller'])
  })

  it('does nothing with documents that its caller has named and may not see', async () => {
    const item = { operation: 'Context.RestoreDocumentInput', params: { name: 'item' } }
    const items = { operation: 'Context.RestoreDocumentsInput', params: { name: 'items' } }
    const source = async () => (await read(closed.id)).properties['dc:source']
    const before = await source()
    const variables: Call['variables'] = {
      item: { type: 'document', id: closed.id },
      items: { type: 'documents', ids: [open.id, closed.id] },
    }
    await expect(asAnn([LOGIN, item, note('dc:source')], { variables })).rejects.toMatchObject({
      code: expect.stringMatching(/badRequest|notFound/),
      message: expect.not.stringContaining(closed.id),
    })
    const attach = { operation: 'FileManager.Import', params: {} }
    const current: Call['variables'] = { currentDocument: { type: 'string', value: `doc:${closed.path}` } }
    await expect(asAnn([LOGIN, attach], { variables: current })).rejects.toMatchObject({ code: 'badRequest' })
    const named: Value[] = [
      { type: 'string', value: closed.id },
      { type: 'string', value: `doc:${closed.path}` },
      { type: 'json', value: [closed.id] },
      { type: 'documents', ids: [closed.id], mustExist: true },
    ]
    const trash = { operation: 'Document.Trash', params: {} }
    for (const given of named)
      await expect(asAnn([LOGIN, item, trash], { variables: { item: given } })).rejects.toThrow()
    for (const input of named)
      for (const step of [note('dc:source'), trash])
        await expect(asAnn([LOGIN, step], { input })).rejects.toThrow()
    await asAnn([LOGIN, items, note('dc:source')], { variables })
    expect(await source()).toBe(before)
    expect((await read(open.id)).properties['dc:source']).toBe('system')
  })

  it('hands documents on by their names, which who called the chain reads for themselves', async () => {
    const query = {
      operation: 'Repository.Query',
      params: { query: "SELECT * FROM Folder WHERE ecm:name = 'closed'" },
    }
    const given = { type: 'document', id: closed.id, isOfOthers: true }
    const givenList = { type: 'documents', ids: [closed.id], isOfOthers: true }
    expect(await asAnn([LOGIN, LOOK])).toEqual(given)
    expect(await asAnn([LOGIN, query])).toEqual(givenList)
    const inner = await asAnn([{ operation: 'inner', params: {} }], {}, { inner: [LOGIN, LOOK] })
    expect(inner).toEqual(given)
    expect(await asAnn([LOGIN, LOOK, LOGOUT])).toEqual(given)
  })

  it('hands nothing on in variables but names', async () => {
    const unsaved = {
      operation: 'Document.SetProperty',
      params: { xpath: 'dc:title', value: 'a', save: false },
    }
    const keep = { operation: 'Context.SetInputAsVar', params: { name: 'kept' } }
    const restore = { operation: 'Context.RestoreDocumentInput', params: { name: 'kept' } }
    const inner = { operation: 'inner', params: {} }
    for (const steps of [
      [LOGIN, LOOK, unsaved, keep],
      [LOGIN, LOOK, unsaved, keep, LOGOUT],
    ])
      await expect(asAnn([inner, restore], {}, { inner: steps })).rejects.toMatchObject({ code: 'notFound' })
    await expect(asAnn([LOGIN, LOOK, unsaved, keep, LOGOUT, restore])).rejects.toMatchObject({
      code: 'notFound',
      message: expect.not.stringContaining(closed.id),
    })
  })

  it('ends with the chain that it stands in', async () => {
    const others = { inner: [LOGIN, LOOK] }
    await expect(asAnn([{ operation: 'inner', params: {} }, LOOK], {}, others)).rejects.toMatchObject({
      code: 'notFound',
    })
    const call = { operation: 'RunOperation', params: { id: 'inner' } }
    await expect(asAnn([call, LOOK], {}, others)).rejects.toMatchObject({ code: 'notFound' })
    await expect(
      asAnn([LOGIN, { operation: 'leave', params: {} }, LOOK], {}, { leave: [LOGOUT] }),
    ).resolves.toMatchObject({ id: closed.id })
  })

  it('is taken back with the chain that fails', async () => {
    await expect(
      asAnn([LOGIN, LOOK, { operation: 'Document.GetChild', params: { name: 'no' } }]),
    ).rejects.toMatchObject({ code: 'notFound' })
    await expect(asAnn([LOOK])).rejects.toMatchObject({ code: 'notFound' })
  })

  it('fails without the names of documents that its caller may not see, and logs them', async () => {
    const refused = { operation: 'Document.SetLifeCycle', params: { value: 'noSuchTransition' } }
    await expect(asAnn([LOGIN, LOOK, refused])).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringMatching(/^Failed to invoke operation: Document.SetLifeCycle: (?!.*closed)/),
    })
    const asAdministrator = chain([LOGIN, LOOK, refused])
    await expect(asAdministrator).rejects.toThrow(/\/default-domain\/workspaces\/closed/)
  })

  it.each(['nobody', 'group:staff'])('knows no user %s', async (name) => {
    await expect(asAnn([as(name)])).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringContaining(name),
    })
  })

  it.each(['Auth.LoginAs', 'RunOperation', 'RunDocumentOperation'])(
    'is refused to a caller by way of %s',
    async (operation) => {
      const params: NonNullable<Call['params']> = operation === 'Auth.LoginAs' ? {} : { id: 'Auth.LoginAs' }
      for (const caller of [ANN, ADMINISTRATOR])
        await expect(run(operation, { as: caller, input: input(open), params })).rejects.toMatchObject({
          code: 'forbidden',
        })
      await expect(
        run(operation, { as: ANN, input: input(open), params: { ...params, name: 'nobody' } }),
      ).rejects.toMatchObject({ code: 'forbidden' })
    },
  )

  it('passes its input on, documents as such', async () => {
    expect(await asAnn([LOGIN, LOGOUT], { input: { type: 'number', value: 5 } })).toEqual({
      type: 'number',
      value: 5,
    })
    expect(await asAnn([LOGIN, LOGOUT], { input: input(open) })).toMatchObject({ id: open.id })
  })

  it('may not be in force where a chain commits', () => {
    const loop = { operation: 'RunOperationOnListInNewTx', params: { id: 'Document.Save', list: 'l' } }
    const planned = (steps: readonly ChainStep[]) =>
      planChain({ id: 'c', aliases: [], params: [], steps }, createRegistry(operations, []))
    expect(() => planned([LOGIN, loop])).toThrow(/Auth.LoginAs is in force/)
    expect(() => planned([LOGIN, LOGIN, LOGOUT, loop])).toThrow(/Auth.LoginAs is in force/)
    expect(planned([LOGIN, LOGOUT, loop]).nodes).toHaveLength(2)
    expect(planned([loop, LOGIN]).nodes).toHaveLength(2)
  })
})
