import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listProperties } from '../../core/platform/configuration/index.js'
import { mergeContributions } from '../../core/platform/contributions/index.js'
import { configurationProperties, configuredPoints } from './configuration.js'

const ROOT = join(import.meta.dirname, '../..')
/** Folders with code of API and worker, which is where a property may be asked for. */
const FOLDERS = ['activities', 'api', 'core', 'engine', 'runtime', 'storage', 'worker', 'workflows']

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8'))
    // What the code of sandboxes calls by this name is a function of JavaScript.
    .filter((text) => /^import [^']*\bdefineProperty\b[^']* from '/m.test(text)),
)

const CALLED = /(?<![.\w])defineProperty\(/g
const DEFINED = /(?<![.\w])defineProperty\(\{\s*name: '([^']+)'/g

test('every property that the product defines is listed, with its default and what it is for', () => {
  const defined = sources.flatMap((text) => [...text.matchAll(DEFINED)].map(([, name]) => name))
  // A definition that is written in another way would not be looked at.
  expect(defined).toHaveLength(sources.flatMap((text) => [...text.matchAll(CALLED)]).length)
  expect(defined).toContain('archivolt.automation.allowVirtualUser')

  const listed = listProperties(mergeContributions([], configuredPoints), configurationProperties)
  expect(listed.map(({ name }) => name)).toEqual(defined.toSorted())
  for (const property of listed) {
    expect(property).toMatchObject({ value: property.default, isContributed: false })
    expect(property.default, property.name).not.toBeNull()
    expect(property.description, property.name).toMatch(/\w/)
  }
})
