import { describe, expect, test } from 'vitest'
import {
  AUTOMATION,
  CLOSED,
  createSecurityBench,
  grant,
  NOBODY_ELSE,
  OPEN,
  WORKSPACES,
} from '../support/security-support.js'

const { call, fresh, make, next, platform, protect, traces } = await createSecurityBench()

const stored = (id: string) => platform.database.sql`SELECT * FROM documents WHERE id = ${id}`

describe('time-bound rights', () => {
  const hours = (count: number): string => new Date(Date.now() + count * 3_600_000).toISOString()

  test.each([
    ['not yet', { begin: hours(1) }, 404],
    ['no longer', { end: hours(-1) }, 404],
    ['now', { begin: hours(-1), end: hours(1) }, 200],
  ])('%s', async (_when, bounds, status) => {
    const document = await make(WORKSPACES, next('timed'), 'Folder')
    await protect(document.path, [grant('stranger', 'ReadWrite', bounds), NOBODY_ELSE])
    const read = await call('POST', `${AUTOMATION}/Document.Update`, {
      user: 'stranger',
      json: { input: document.uid, params: { properties: 'dc:title=x' } },
    })
    const query = `SELECT * FROM Document WHERE ecm:uuid = '${document.uid}'`
    const found = await call('POST', `${AUTOMATION}/Repository.Query`, {
      user: 'stranger',
      json: { params: { query } },
    })
    expect([read.status, found.json.resultsCount]).toEqual([status, status === 200 ? 1 : 0])
  })
})

describe("somebody else's lock", () => {
  test.each([
    ['Document.Update', { properties: 'dc:title=x' }, 403],
    ['Document.SetProperty', { xpath: 'dc:title', value: 'x' }, 403],
    ['Document.Delete', {}, 403],
    ['Document.Move', { target: OPEN }, 403],
    ['Document.Lock', {}, 409],
    ['Document.Unlock', {}, 403],
    ['Document.CheckIn', { version: 'minor' }, 403],
    ['Document.FollowLifecycleTransition', { value: 'approve' }, 403],
    ['retitle', {}, 403],
  ])('%s', async (operation, params, status) => {
    const document = await fresh()
    const input = document.uid
    await call('POST', `${AUTOMATION}/Document.Lock`, { user: 'boss', json: { input } })
    const before = await stored(document.uid)
    const answer = await call('POST', `${AUTOMATION}/${operation}`, {
      user: 'writer',
      json: { input, params },
    })
    expect(answer.status, answer.text).toBe(status)
    expect(await stored(document.uid)).toEqual(before)
  })
})

describe('places', () => {
  const folders = async (source: string, target: string) => {
    const from = await make(WORKSPACES, next('from'), 'Folder')
    const to = await make(WORKSPACES, next('to'), 'Folder')
    const document = await make(from.path, 'moved')
    await protect(from.path, [
      ...source.split('+').map((permission) => grant('stranger', permission)),
      NOBODY_ELSE,
    ])
    await protect(to.path, [...(target ? [grant('stranger', target)] : []), NOBODY_ELSE])
    return { document, target: to.path }
  }

  test.each([
    ['Document.Move', 'ReadWrite', 'Read', 403],
    ['Document.Move', 'ReadWrite', '', 404],
    ['Document.Move', 'Read', 'ReadWrite', 403],
    ['Document.Move', 'Read+WriteProperties+AddChildren', 'ReadWrite', 403],
    ['Document.Move', 'ReadWrite', 'ReadWrite', 200],
    ['Document.Copy', 'Read', 'Read', 403],
    ['Document.Copy', 'Read', '', 404],
    ['Document.Copy', 'Browse', 'ReadWrite', 403],
    ['Document.Copy', 'Read', 'ReadWrite', 200],
  ])('%s from %s to "%s": %i', async (operation, source, to, status) => {
    const { document, target } = await folders(source, to)
    const before = await traces()
    const answer = await call('POST', `${AUTOMATION}/${operation}`, {
      user: 'stranger',
      json: { input: document.uid, params: { target } },
    })
    expect(answer.status, answer.text).toBe(status)
    if (status >= 400) expect(await traces()).toEqual(before)
  })

  test('what lies below and may not be removed keeps the whole where it is', async () => {
    const folder = await make(CLOSED, next('deep'), 'Folder')
    const kept = await make(folder.path, 'kept')
    await protect(kept.path, [grant('writer', 'Read'), NOBODY_ELSE])
    for (const [operation, params] of [
      ['Document.Delete', {}],
      ['Document.Move', { target: OPEN }],
    ] as const) {
      const answer = await call('POST', `${AUTOMATION}/${operation}`, {
        user: 'writer',
        json: { input: folder.uid, params },
      })
      expect(answer.status, answer.text).toBe(403)
    }
  })

  test('a copy leaves out what its maker may not read', async () => {
    const folder = await make(CLOSED, next('partly'), 'Folder')
    const hidden = await make(folder.path, 'hidden')
    await protect(hidden.path, [NOBODY_ELSE])
    const copy = await call('POST', `${AUTOMATION}/Document.Copy`, {
      user: 'reader',
      json: { input: folder.uid, params: { target: OPEN, name: 'partial' } },
    })
    const children = await call('GET', `/api/v1/id/${copy.json.uid}/@children`)
    expect([copy.status, children.json.entries]).toEqual([200, []])
  })
})
