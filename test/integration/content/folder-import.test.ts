import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import {
  createBulkSource,
  IMPORT_START,
  type ImportSource,
  runImportPage,
} from '../../../core/automation/folder-imports/index.js'
import type { BlobValue } from '../../../core/model/properties/index.js'
import { zipOf } from '../../../core/platform/archives/index.js'
import { soon } from '../../support/soon.js'
import { ADMINISTRATOR } from '../support/operations-support.js'
import { type Call, createClient } from '../support/rest-client.js'
import { AUTOMATION, createRunsBench, runId } from '../support/runs-support.js'

const root = await mkdtemp(join(tmpdir(), 'archivolt-import-'))
afterAll(() => rm(root, { recursive: true }))

const bench = await createRunsBench({ ARCHIVOLT_IMPORT_FOLDERS: root })
const { call, engine, make, platform, runtime } = bench

const IMPORTER = '/nuxeo/site/fileImporter'
const WORKSPACES = '/default-domain/workspaces'

/** Files by their paths below a new folder. */
const folderOf = async (files: { [path: string]: string }): Promise<string> => {
  const folder = await mkdtemp(join(root, 'folder-'))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return folder
}

let targets = 0
const target = async (): Promise<string> => (await make(WORKSPACES, `target-${targets++}`, 'Workspace')).path

const ask = async (name: string, options: Call = {}) => {
  const { status, text: answer, headers } = await call('GET', `${IMPORTER}/${name}`, options)
  return { status, answer, type: headers.get('content-type') }
}

const plain = (answer: string) => ({ status: 200, answer, type: expect.stringMatching(/^text\/plain/) })

const run = (query: Record<string, string>) => ask(`run?${new URLSearchParams(query)}`)

/** Starts an import and waits for its end. */
const imported = async (query: Record<string, string>): Promise<string[]> => {
  expect(await run(query)).toEqual(plain('Started'))
  await soon(async () => expect(await ask('status')).toEqual(plain('Not Running')))
  return (await ask('log')).answer.split('\n')
}

const read = (path: string) => platform.readSession(ADMINISTRATOR).stores.documents.get(path)

const childrenOf = async (path: string): Promise<string[]> => {
  const folder = await read(path)
  const children = await platform.readSession(ADMINISTRATOR).stores.children.list(folder!.id)
  return children.map(({ name }) => name).sort()
}

describe('a folder of the server', () => {
  test('becomes documents, with what metadata.properties say', async () => {
    const inputPath = await folderOf({
      'metadata.properties': 'dc:source=the archive\ndc:subjects=art||law\ndc:issued=2015-07-01',
      'a.txt': 'one',
      'sub/metadata.properties': 'dc:source=below\nnothing:here=x\ndc:expired=soon',
      'sub/b.txt': 'two',
      'empty/metadata.properties': '',
    })
    await symlink('/etc/passwd', join(inputPath, 'link'))
    const targetPath = await target()
    const log = await imported({ inputPath, targetPath })
    const [container = ''] = await childrenOf(targetPath)
    const at = `${targetPath}/${container}`
    expect(inputPath.endsWith(container)).toBe(true)
    expect(await childrenOf(at)).toEqual(['a.txt', 'empty', 'sub'])
    expect(await childrenOf(`${at}/empty`)).toEqual([])
    const [file, sub, below] = await Promise.all(
      ['a.txt', 'sub', 'sub/b.txt'].map((path) => read(`${at}/${path}`)),
    )
    expect([file!.type, sub!.type, (await read(at))!.type]).toEqual(['File', 'Folder', 'Folder'])
    expect(file!.properties).toMatchObject({
      ...{ 'dc:title': 'a.txt', 'dc:source': 'the archive', 'dc:subjects': ['art', 'law'] },
      'dc:issued': '2015-07-01T00:00:00.000Z',
    })
    expect(sub!.properties['dc:source']).toBe('the archive')
    expect(below!.properties).toMatchObject({ 'dc:source': 'below', 'dc:subjects': ['art', 'law'] })
    expect((await read(at))!.properties['dc:source']).toBeUndefined()
    const content = below!.properties['file:content'] as BlobValue
    expect([content.name, await text(await platform.blobs.open(content))]).toEqual(['b.txt', 'two'])
    expect(log).toEqual([
      'link: left out: neither a file nor a folder',
      'sub/b.txt: a File has no property nothing:here, which is left out',
      expect.stringMatching(/^sub\/b.txt: (?=.*dc:expired).*; the value is left out$/),
      '5 documents created, 0 updated, 0 there already, 0 failed',
    ])
  })

  test('goes straight into the target, as types that are asked for; again it changes nothing', async () => {
    const inputPath = await folderOf({ 'a.txt': 'one', 'sub/b.txt': 'two' })
    const targetPath = await target()
    const query = {
      ...{ inputPath, targetPath, skipRootContainerCreation: 'true', leafType: 'Picture' },
      ...{ folderishType: 'Workspace', batchSize: '2', nbThreads: '3', interactive: 'true' },
    }
    expect(await imported(query)).toEqual(['3 documents created, 0 updated, 0 there already, 0 failed'])
    expect([(await read(`${targetPath}/a.txt`))!.type, (await read(`${targetPath}/sub`))!.type]).toEqual([
      'Picture',
      'Workspace',
    ])
    expect(await imported(query)).toEqual(['0 documents created, 0 updated, 3 there already, 0 failed'])
    await writeFile(join(inputPath, 'a.txt'), 'another')
    expect(await imported(query)).toEqual(['1 documents created, 0 updated, 2 there already, 0 failed'])
    expect((await childrenOf(targetPath)).filter((name) => name.startsWith('a.txt'))).toHaveLength(2)
  })

  test('has files that fail alone', async () => {
    const inputPath = await folderOf({ '@bad': 'x', 'good.txt': 'y', 'long.txt': 'z' })
    const targetPath = await target()
    const log = await imported({ inputPath, targetPath, skipRootContainerCreation: 'true' })
    expect(log).toEqual([
      "@bad: failed: name: '@bad' is not a legal name",
      '2 documents created, 0 updated, 0 there already, 1 failed',
    ])
    expect(await childrenOf(targetPath)).toEqual(['good.txt', 'long.txt'])
  })
})

test.each<[query: Record<string, string>, answer: string | RegExp]>([
  [{}, 'Can not import, missing inputPath'],
  [{ inputPath: root }, 'Can not import, missing targetPath'],
  [{ inputPath: '/etc', targetPath: '/' }, /^Can not import, inputPath: \/etc is not below a folder/],
  [{ inputPath: `${root}/../..`, targetPath: '/' }, /is not below a folder/],
  [{ inputPath: root, targetPath: '/nowhere' }, 'Can not import, targetPath: there is no document /nowhere'],
  [
    { inputPath: root, targetPath: '/', leafType: 'Odd' },
    'Can not import, leafType: unknown document type Odd',
  ],
  [{ inputPath: root, targetPath: '/', batchSize: '0' }, /batchSize: must be a whole number from 1 to 1000/],
])('%j is answered with %s', async (query, answer) => {
  const expected = typeof answer === 'string' ? answer : expect.stringMatching(answer)
  expect(await run(query)).toEqual({ ...plain(''), answer: expected })
})

test('a folder that is not there is in the log', async () => {
  const log = await imported({ inputPath: join(root, 'none'), targetPath: WORKSPACES })
  expect(log.at(-1)).toMatch(/^failed: .*none cannot be read: ENOENT$/)
})

test('only administrators, and no page of another site, may use it', async () => {
  for (const name of ['run', 'log', 'logActivate', 'logDesactivate', 'status', 'running', 'kill'])
    expect((await ask(name, { user: 'ann' })).status, name).toBe(403)
  const foreign: Record<string, string>[] = [
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Referer: 'https://evil.example/x' },
    { Origin: 'null' },
  ]
  for (const headers of foreign)
    for (const name of ['run', 'logActivate', 'logDesactivate', 'kill'])
      expect((await ask(name, { headers })).status, name).toBe(403)
  const own = { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' }
  expect(await ask('run', { headers: own })).toEqual(plain('Can not import, missing inputPath'))
  expect((await call('HEAD', `${IMPORTER}/kill`)).status).toBe(200)
})

test('without the setting nothing may be imported', async () => {
  const settings = { ...platform.settings, importFolders: [] }
  const other = createClient({ ...platform, settings }, engine)
  const query = new URLSearchParams({ inputPath: root, targetPath: '/' })
  expect((await other('GET', `${IMPORTER}/run?${query}`)).text).toMatch(
    /imports no folders; set ARCHIVOLT_IMPORT_FOLDERS/,
  )
})

test('one runs at a time, and is stopped between two transactions', async () => {
  const files = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`${1000 + i}.txt`, `file ${i}`]))
  const inputPath = await folderOf(files)
  const targetPath = await target()
  const query = { inputPath, targetPath, skipRootContainerCreation: 'true', batchSize: '1' }
  expect(await ask('kill')).toEqual(plain('Not Running'))
  expect(await run(query)).toEqual(plain('Started'))
  expect(await ask('running')).toEqual(plain('true'))
  expect(await run(query)).toEqual(plain('Can not import, another import is running'))
  expect(await ask('logDesactivate')).toEqual(plain('Logging desactivated'))
  expect(await ask('logActivate')).toEqual(plain('Logging activated'))
  await soon(async () => expect((await childrenOf(targetPath)).length).toBeGreaterThan(2))
  expect(await ask('kill')).toEqual(plain('Killed'))
  await soon(async () => expect(await ask('status')).toEqual(plain('Not Running')))
  const stopped = await childrenOf(targetPath)
  expect(stopped.length).toBeLessThan(400)
  await imported({ ...query, batchSize: '100' })
  expect(await childrenOf(targetPath)).toEqual(Object.keys(files).sort())
}, 60_000)

describe('an attempt that is lost', () => {
  const services = () => runtime.segments().services
  const call = (importId: string) => ({
    ...{ principal: ADMINISTRATOR, importId, cursor: IMPORT_START, batchSize: 2, report: () => undefined },
    signal: new AbortController().signal,
  })

  test('doubles nothing that it has committed, and loses nothing that it has not', async () => {
    const inputPath = await folderOf({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd', 'e.txt': 'e' })
    const targetPath = await target()
    const request = {
      ...{
        inputPath,
        targetPath,
        leafType: 'File',
        folderishType: 'Folder',
        hasContainer: false,
        batchSize: 2,
      },
    }
    const { signal } = call('')
    const source = await createBulkSource(request, {
      ...{ folders: [root], services: services(), principal: ADMINISTRATOR, signal },
    })
    const lost = new Error('connection lost')
    let left = 3
    const failing: ImportSource = {
      ...source,
      importEntry: async (...about) => {
        if (left-- === 0) throw lost
        return source.importEntry(...about)
      },
    }
    const { units } = runtime.segments()
    await expect(runImportPage({ units }, failing, call('lost'))).rejects.toBe(lost)
    expect(await childrenOf(targetPath)).toEqual(['a.txt', 'b.txt'])
    // What is behind the receipts is walked on from: what was renamed meanwhile is not looked at again.
    const seen: string[] = []
    const watched: ImportSource = {
      ...source,
      importEntry: (session, entry, warn) => {
        seen.push(entry.path)
        return source.importEntry(session, entry, warn)
      },
    }
    const page = await runImportPage({ units }, watched, call('lost'))
    expect(seen).toEqual(['c.txt', 'd.txt', 'e.txt'])
    expect(page).toMatchObject({ isDone: true, cursor: { created: 5, unchanged: 0, failed: 0, batch: 3 } })
    expect(await childrenOf(targetPath)).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'])
    const again = await runImportPage({ units }, watched, call('lost'))
    expect(seen).toHaveLength(3)
    expect(again).toEqual(page)
  })
})

test('an archive of more than 1,000 documents is a run, whose caller gets the usual answer', async () => {
  const targetPath = await target()
  const xml = '<document id="x"><system><type>Note</type></system></document>'
  const entries = ['.nuxeo-archive', ...Array.from({ length: 1_001 }, (_, i) => `${i}/document.xml`)].map(
    (name) => ({
      name,
      length: name.endsWith('.xml') ? xml.length : 0,
      open: async function* () {
        yield Buffer.from(xml)
      },
    }),
  )
  const form = new FormData()
  const request = JSON.stringify({ params: { target: targetPath } })
  form.append('request', new Blob([request], { type: 'application/json' }))
  form.append('input', new Blob([await buffer(zipOf(entries))], { type: 'application/zip' }), 'a.zip')
  const headers = { Prefer: 'wait=60' }
  const answer = await call('POST', `${AUTOMATION}/Document.Import`, { body: form, headers })
  expect(answer.json).toMatchObject({ 'entity-type': 'documentImport', created: 1_001 })
  const run = await bench.runOf(runId(answer))
  expect(run).toMatchObject({ status: 'COMPLETED', chainId: 'Document.Import' })
  expect((await childrenOf(targetPath)).length).toBe(1_001)
}, 90_000)
