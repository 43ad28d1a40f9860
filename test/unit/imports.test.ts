import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What each top-level folder may import from: docs/architecture.md, "Which way imports point". */
const ARROWS: { [folder: string]: readonly string[] } = {
  schema: [],
  core: ['schema'],
  storage: ['core', 'schema'],
  activities: ['core'],
  workflows: ['activities', 'core'],
  worker: ['activities', 'core', 'storage', 'workflows'],
  api: ['activities', 'core', 'storage', 'worker', 'workflows'],
  cli: ['core'],
  stack: ['core', 'schema'],
}

/** Folders that may know another only by its types: what is bundled for the sandbox, or lives behind Temporal. */
const TYPES_ONLY: readonly [from: string, to: string][] = [
  ['workflows', 'activities'],
  ['workflows', 'core'],
  ['api', 'workflows'],
  ['api', 'activities'],
  ['worker', 'workflows'],
]

type Import = { from: string; to: string; isType: boolean }

const IMPORT = /^(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'/gm

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !/\.(test|fixture)\.ts$/.test(file))
    .map((file) => join(folder, file))

const importsOf = (file: string): Import[] => {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(IMPORT)].map(([, isType, specifier]) => ({
    from: file,
    to: relative(ROOT, resolve(ROOT, dirname(file), specifier ?? '')),
    isType: isType !== undefined,
  }))
}

const folderOf = (path: string): string => path.split('/')[0] ?? ''

const imports = Object.keys(ARROWS).flatMap((folder) => sourcesIn(folder).flatMap(importsOf))

describe('imports', () => {
  test('are found', () => {
    expect(imports.length).toBeGreaterThan(500)
  })

  test('point one way', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [source, target] = [folderOf(from), folderOf(to)]
      return source !== target && !ARROWS[source]?.includes(target)
    })
    expect(wrong).toEqual([])
  })

  test('cross into workflow code, and out of it, as types alone', () => {
    const wrong = imports.filter(
      ({ from, to, isType }) =>
        !isType &&
        TYPES_ONLY.some(([source, target]) => folderOf(from) === source && folderOf(to) === target),
    )
    expect(wrong).toEqual([])
  })

  test('reach another room of the core by its index or its types', () => {
    const room = (path: string): string => path.split('/').slice(0, 2).join('/')
    const wrong = imports.filter(
      ({ from, to }) =>
        folderOf(to) === 'core' && room(from) !== room(to) && !/\/(index|types|principal)\.js$/.test(to),
    )
    expect(wrong).toEqual([])
  })
})
