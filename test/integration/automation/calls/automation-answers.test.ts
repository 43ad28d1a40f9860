import { beforeAll, describe, expect, test } from 'vitest'
import { createTestService } from '../../support/bad-input-support.js'
import type { Entity } from '../../support/rest-client.js'

/** How answers of automation look on the wire: reference: automation.md §4 and §5. */

const { call } = await createTestService()
const WORKSPACES = '/api/v1/path/default-domain/workspaces'
let folder: Entity

beforeAll(async () => {
  const json = { 'entity-type': 'document', name: 'folder', type: 'Folder' }
  folder = (await call('POST', WORKSPACES, { json })).json
})

const run = (operation: string, json: object) => call('POST', `/site/automation/${operation}`, { json })

const twoFiles = () => {
  const form = new FormData()
  form.append('params', JSON.stringify({ params: {} }))
  for (const name of ['a.txt', 'b.txt']) form.append(name, new Blob([name]), name)
  return call('POST', '/site/automation/Context.FetchFile', { body: form })
}

describe('answers', () => {
  test.each(['/site/automation/', '/api/v1/automation/', '/nuxeo/site/automation/?pretty=true'])(
    'the registry is at %s, too',
    async (path) => {
      const { status, json } = await call('GET', path)
      expect([status, Object.keys(json)]).toEqual([200, ['paths', 'codecs', 'operations', 'chains']])
    },
  )

  test('a user is answered as a document, not as a map that holds one', async () => {
    const { json, headers } = await run('User.Get', {})
    expect(json).toMatchObject({ 'entity-type': 'document', uid: 'Administrator', type: 'User' })
    expect(headers.get('content-type')).toContain('nuxeo-entity=document')
  })

  test('the mark between the files of a list is one that no author of a file can know', async () => {
    const marks = new Set<string | null>()
    for (let at = 0; at < 2; at++) marks.add((await twoFiles()).headers.get('content-type'))
    expect(marks.size).toBe(2)
  })

  test.each([
    ['JSON', (text: string) => ({ body: text, headers: { 'Content-Type': 'application/json' } })],
    [
      'a form',
      (text: string) => ({
        body: new URLSearchParams({ jsondata: text }).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      }),
    ],
  ])('%s may ask for schemas of the documents in the answer', async (_, bodyOf) => {
    const asked = { params: { value: folder.path }, documentProperties: 'dublincore, common' }
    const { json } = await call('POST', '/site/automation/Document.Fetch', bodyOf(JSON.stringify(asked)))
    const prefixes = new Set(Object.keys(json.properties).map((name) => name.replace(/:.*/, '')))
    expect([...prefixes].sort()).toEqual(['common', 'dc'])
    expect((await run('Document.Fetch', { ...asked, documentProperties: null })).json).not.toHaveProperty(
      'properties',
    )
    expect((await run('Document.Fetch', { ...asked, documentProperties: ['dublincore'] })).status).toBe(400)
  })

  test('a list is answered in its order, and not when it is longer than an answer may be', async () => {
    const large = { 'entity-type': 'document', name: 'large', type: 'Note' }
    const text = 'x'.repeat(2 * 1024 * 1024)
    const made = await call('POST', WORKSPACES, { json: { ...large, properties: { 'note:note': text } } })
    expect(made.status).toBe(201)
    const named = (count: number) => `docs:${folder.path},${Array(count).fill(made.json.path).join(',')}`
    const fetch = (count: number, headers: Record<string, string>) =>
      call('POST', '/site/automation/Context.FetchDocument', { json: { input: named(count) }, headers })
    const bare = await fetch(50, {})
    expect(bare.json.entries.map(({ path }: Entity) => path)).toEqual([
      folder.path,
      ...Array(50).fill(made.json.path),
    ])
    const { status, json } = await fetch(50, { 'X-NXDocumentProperties': 'note' })
    expect([status, json.message]).toEqual([413, expect.stringContaining('request fewer documents')])
  })

  test('a failure begins as clients know it', async () => {
    const { status, json } = await run('Document.GetChild', { input: folder.path, params: { name: 'none' } })
    expect(status).toBe(404)
    expect(json.message).toMatch(/^Failed to invoke operation: Document\.GetChild: /)
  })
})
