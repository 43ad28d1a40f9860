// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the marks of templates

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import type { ChainStep, Value } from '../../../core/automation/language/index.js'
import { setAcls } from '../../../core/content/documents/index.js'
import {
  ADMINISTRATOR,
  ANN,
  type Call,
  createOperationBench,
  documentOf,
  input,
  inputs,
} from '../support/operations-support.js'
import { createClient } from '../support/rest-client.js'

const folder = await mkdtemp(join(tmpdir(), 'archivolt-templates-'))
await writeFile(
  join(folder, 'templates.yaml'),
  `templates:
  card: { text: '<b>\${Document.title?html}</b><#include "foot">' }
  foot: { text: ' by \${CurrentUser.name}' }
  older: { type: mvel, text: '@{Document.title}' }
`,
)
const { platform, close, run, create, chain } = await createOperationBench({ ARCHIVOLT_CONFIG: folder })
const engine = await createEngine(platform)
const call = createClient(platform, engine)
afterAll(async () => {
  await engine.close()
  await close()
  await rm(folder, { recursive: true, force: true })
})

const PARENT = '/default-domain/workspaces'
const one = await create(PARENT, 'File', 'one', {
  'dc:title': 'One & only',
  'dc:issued': '2024-03-05T00:00:00.000Z',
  'dc:subjects': ['art', 'law'],
})
const two = await create(PARENT, 'File', 'two', { 'dc:title': 'Two' })
const hidden = await create(PARENT, 'Folder', 'hidden', { 'dc:title': 'Hidden' })
await platform.withSession(ADMINISTRATOR, (session) =>
  setAcls(session, hidden, [
    { name: 'local', aces: [{ username: 'Everyone', permission: 'Everything', granted: false }] },
  ]),
)

const contentOf = async (value: Value): Promise<string> => {
  if (value.type !== 'blob') throw new Error(`Not a file: ${JSON.stringify(value)}`)
  return text(await platform.blobs.open(value.blob))
}

const render = async (params: { [name: string]: string }, call: Call = {}): Promise<string> =>
  contentOf(await run('Render.Document', { input: input(one), ...call, params }))

describe('Render.Document', () => {
  it.each<[{ [name: string]: string }, string]>([
    [{ template: '${Document.title} ${This["dc:title"]?html}' }, 'One & only One &amp; only'],
    [{ template: '<#list Document["dc:subjects"] as s>${s};</#list>' }, 'art;law;'],
    [{ template: '${Document["dc:issued"]?date?string("dd/MM/yyyy")}' }, '05/03/2024'],
    [{ template: '${Document.parent.name}/${mark}' }, 'workspaces/red'],
    [{ template: '@{Document.title} @{mark}', type: 'mvel' }, 'One & only red'],
    [
      { template: '${Document.dublincore.title} ${Document.dublincore.subjects?size} ${Document.nothing!}' },
      'One & only 2 ',
    ],
    [{ template: 'template:card' }, '<b>One &amp; only</b> by Administrator'],
    [{ template: 'template:older', type: 'ftl' }, 'One & only'],
  ])('%j gives %s', async (params, expected) => {
    expect(await render(params, { variables: { mark: { type: 'string', value: 'red' } } })).toBe(expected)
  })

  it('gives a file of the name and type that are asked for', async () => {
    const value = await run('Render.Document', { input: input(one), params: { template: 'é' } })
    expect(value).toMatchObject({
      blob: { name: 'output.ftl', 'mime-type': 'text/xml', encoding: 'UTF-8', length: 2 },
    })
    const params = { template: 'x', filename: 'a.html', mimetype: 'text/html' }
    expect(await run('Render.Document', { input: input(one), params })).toMatchObject({
      blob: { name: 'a.html', 'mime-type': 'text/html' },
    })
  })

  it('gives one file for each document of a list', async () => {
    const value = await run('Render.Document', {
      input: inputs(one, two),
      params: { template: '${Document.name}' },
    })
    expect(value.type).toBe('blobs')
    const blobs = value.type === 'blobs' ? value.blobs : []
    expect(await Promise.all(blobs.map((blob) => contentOf({ type: 'blob', blob })))).toEqual(['one', 'two'])
  })

  it.each<[{ [name: string]: string }, RegExp]>([
    [{}, /template is required/],
    [{ template: '${Document.title' }, /template: line 1, column 1: '}' is missing/],
    [{ template: 'a\n${nobody}' }, /template: line 2, column 1: .*nobody/],
    [{ template: 'template:none' }, /no template 'none' is deployed/],
    [{ template: 'x', type: 'jsp' }, /type: 'jsp'/],
  ])('refuses %j', async (params, message) => {
    await expect(render(params)).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringMatching(message),
    })
  })

  it('fills a text of a caller for administrators alone, a deployed one for everybody', async () => {
    for (const template of ['x', '${unreadable?', '<#if x>'])
      await expect(render({ template }, { as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
    expect(await render({ template: 'template:card' }, { as: ANN })).toBe('<b>One &amp; only</b> by ann')
    const steps = [
      { operation: 'Render.Document', params: { template: '${Document.name} ${CurrentUser.name}' } },
    ]
    expect(await contentOf(await chain(steps, { input: input(one), as: ANN }))).toBe('one ann')
  })

  it('has the rights of whoever runs it', async () => {
    const steps = [
      {
        operation: 'Render.Document',
        params: {
          template: `\${Session.exists("${hidden.path}")} <#list Session.getChildren("${PARENT}") as d>\${d.name} </#list>`,
        },
      },
    ]
    const shown = async (as: Call['as']) =>
      contentOf(await chain(steps, { input: input(one), ...(as && { as }) }))
    expect(await shown(undefined)).toMatch(/^true .*hidden/)
    expect(await shown(ANN)).toBe('false one two ')
    await expect(
      render({ template: 'template:card' }, { input: input(hidden), as: ANN }),
    ).rejects.toMatchObject({
      code: 'notFound',
    })
  })
})

describe('a template that is deployed', () => {
  const put = (name: string, content: object) =>
    call('PUT', `/api/v1/contributions/templates/${name}`, {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(content),
    })

  it('is there for the next call', async () => {
    expect((await put('fresh', { text: 'Fresh ${Document.name}' })).status).toBe(201)
    const json = { input: `doc:${one.id}`, params: { template: 'template:fresh' } }
    const { status, text: content } = await call('POST', '/api/v1/automation/Render.Document', { json })
    expect([status, content]).toEqual([200, 'Fresh one'])
  })

  it.each<[object, RegExp]>([
    [{ text: 'a\n<#if x>' }, /templates\/bad is refused: text: line 2, column 1: <#if> has no end/],
    [{ text: '<#include "none">' }, /no template 'none' is deployed/],
    [{ text: 'x', type: 'jsp' }, /type/],
    [{ type: 'ftl' }, /text/],
  ])('is refused: %j', async (content, message) => {
    const { status, text: answer } = await put('bad', content)
    expect([status, answer]).toEqual([422, expect.stringMatching(message)])
  })

  it('is not taken away while another one includes it', async () => {
    expect((await put('part', { text: 'part' })).status).toBe(201)
    expect((await put('whole', { text: '<#include "part">' })).status).toBe(201)
    expect((await call('DELETE', '/api/v1/contributions/templates/part')).status).toBe(409)
    expect((await call('DELETE', '/api/v1/contributions/templates/whole')).status).toBe(204)
  })
})

describe('Render.DocumentFeed', () => {
  it('fills one template from all of them', async () => {
    const template = '<#list Documents as doc>${doc.name},</#list>${This?size}'
    const call = { input: inputs(one, two), params: { template, charset: 'ISO-8859-1', filename: 'é.txt' } }
    const value = await run('Render.DocumentFeed', call)
    expect(await contentOf(value)).toBe('one,two,2')
    expect(value).toMatchObject({ blob: { name: 'é.txt', encoding: 'ISO-8859-1' } })
    expect(await contentOf(await run('Render.DocumentFeed', { ...call, input: input(one) }))).toBe('one,1')
  })

  it('writes in the charset that is asked for', async () => {
    const bytes = async (charset: string) => {
      const value = await run('Render.DocumentFeed', {
        input: inputs(one),
        params: { template: 'é', charset },
      })
      return value.type === 'blob' ? value.blob.length : undefined
    }
    expect([await bytes('UTF-8'), await bytes('iso-8859-1'), await bytes('UTF-16LE')]).toEqual([2, 1, 2])
    await expect(bytes('EBCDIC')).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringMatching(/charset/),
    })
  })

  it('is part of its transaction', async () => {
    const steps: ChainStep[] = [
      { operation: 'Document.SetProperty', params: { xpath: 'dc:source', value: 'now' } },
      { operation: 'Render.Document', params: { template: '${Document["dc:source"]}' } },
      { operation: 'Blob.AttachOnDocument', params: { document: two.id } },
    ]
    expect(await contentOf(await chain(steps, { input: input(one) }))).toBe('now')
    expect(
      documentOf(await run('Document.Reload', { input: input(two) })).properties['file:content'],
    ).toMatchObject({
      name: 'output.ftl',
    })
  })
})
