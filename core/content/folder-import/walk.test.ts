import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { importablePath, isImportable } from './import-folders.js'
import { walk } from './walk.js'

const root = await mkdtemp(join(tmpdir(), 'archivolt-walk-'))
afterAll(() => rm(root, { recursive: true }))

for (const folder of ['a/b', 'a.b', 'c']) await mkdir(join(root, folder), { recursive: true })
for (const file of ['a/b/1', 'a/2', 'a.b/3', 'd']) await writeFile(join(root, file), '')
await symlink('/etc/passwd', join(root, 'link'))

const ALL = ['a', 'a/2', 'a/b', 'a/b/1', 'a.b', 'a.b/3', 'c', 'd']

const walked = async (after: string | null) => {
  const found: string[] = []
  const others: string[] = []
  const onOther = (path: string, reason: string) => others.push(`${path}: ${reason}`)
  for await (const { path } of walk(root, { after, onOther })) found.push(path)
  return { found, others }
}

test('each folder comes before what is in it, and links are left out', async () => {
  expect(await walked(null)).toEqual({ found: ALL, others: ['link: neither a file nor a folder'] })
})

test.each(ALL)('a walk goes on behind %s', async (path) => {
  expect((await walked(path)).found).toEqual(ALL.slice(ALL.indexOf(path) + 1))
})

test('a walk goes on behind what is gone meanwhile', async () => {
  expect((await walked('a/b/0')).found).toEqual(ALL.slice(3))
  expect((await walked('b')).found).toEqual(['c', 'd'])
})

describe('only what is below the folders of the setting is read', () => {
  test.each([
    ['', true],
    ['a/b', true],
    ['a/../c', true],
    ['..', false],
    ['a/../..', false],
    [`../${root.split('/').at(-1)}-other`, false],
  ])('%j: %j', (path, expected) => {
    expect(isImportable([root], `${root}/${path}`)).toBe(expected)
    expect(isImportable([], `${root}/${path}`)).toBe(false)
  })

  test('links that lead out are followed, and refused', async () => {
    expect(await importablePath([root], join(root, 'a'))).toBe(join(root, 'a'))
    const refused = { code: 'forbidden' }
    await expect(importablePath([root], join(root, 'link'))).rejects.toMatchObject(refused)
    await expect(importablePath([root], '/etc/passwd')).rejects.toMatchObject(refused)
    await expect(importablePath([root], join(root, 'none'))).rejects.toMatchObject({ code: 'notFound' })
  })
})
