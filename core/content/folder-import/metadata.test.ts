import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createMetadata, parseMetadata } from './metadata.js'

const root = await mkdtemp(join(tmpdir(), 'archivolt-metadata-'))
afterAll(() => rm(root, { recursive: true }))

test('properties are lines, whose keys have colons', () => {
  const text = String.raw`# a comment
! another
dc:title = A title
dc\:source=x=y
dc:rights=\u00e9 and \
   more
no value
`
  expect(parseMetadata(text)).toEqual({
    'dc:title': 'A title',
    'dc:source': 'x=y',
    'dc:rights': 'é and more',
  })
})

test('a folder has what those above it say, and its own in its place', async () => {
  await mkdir(join(root, 'a/b'), { recursive: true })
  await writeFile(join(root, 'metadata.properties'), 'dc:source=top\ndc:rights=top')
  await writeFile(join(root, 'a/b/metadata.properties'), 'dc:rights=below')
  const metadata = createMetadata(root)
  expect(await metadata('')).toEqual({ 'dc:source': 'top', 'dc:rights': 'top' })
  expect(await metadata('a')).toEqual({ 'dc:source': 'top', 'dc:rights': 'top' })
  expect(await metadata('a/b')).toEqual({ 'dc:source': 'top', 'dc:rights': 'below' })
})

test('a link, and what is longer than properties are, is not read', async () => {
  await mkdir(join(root, 'linked'))
  await symlink('/etc/passwd', join(root, 'linked/metadata.properties'))
  await mkdir(join(root, 'long'))
  await writeFile(join(root, 'long/metadata.properties'), 'x'.repeat(1024 ** 2 + 1))
  const metadata = createMetadata(root)
  await expect(metadata('linked')).rejects.toMatchObject({ code: 'badRequest' })
  await expect(metadata('long')).rejects.toMatchObject({ code: 'tooLarge' })
})
