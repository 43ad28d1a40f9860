import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What each top-level folder may import from: docs/architecture.md, "Which way imports point". */
const ARROWS: { [folder: string]: readonly string[] } = {
  schema: [],
  core: [],
  storage: ['core', 'schema'],
  runtime: ['core', 'schema', 'storage'],
  activities: ['core'],
  workflows: ['activities', 'core'],
  engine: ['activities', 'core', 'workflows'],
  worker: ['activities', 'core', 'engine', 'runtime', 'storage', 'workflows'],
  api: ['core', 'engine', 'runtime', 'storage', 'worker'],
  cli: ['core'],
  stack: ['core', 'schema'],
}

/** The wings of `core/`, in order: each imports from those before it alone. */
const WINGS = ['platform', 'model', 'access', 'files', 'content', 'search', 'automation']

/** Folders that may know another only by its types: what is bundled for the sandbox, or lives behind Temporal. */
const TYPES_ONLY: readonly [from: string, to: string][] = [
  ['workflows', 'activities'],
  ['workflows', 'core'],
  ['engine', 'workflows'],
  ['engine', 'activities'],
  ['worker', 'workflows'],
]

/** Folders of which each file is a unit of its own: the tables of one thing, a workflow, its activities. */
const FILE_BY_FILE = ['schema', 'activities', 'workflows']

type Import = { from: string; to: string; isType: boolean }

const IMPORT = /^(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'/gm

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !/\.(test|fixture)\.ts$/.test(file))
    .map((file) => join(folder, file))
    // The suites of contracts are tests, which each backend runs.
    .filter((file) => !file.startsWith('storage/contract/'))

const importsOf = (file: string): Import[] => {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(IMPORT)].map(([, isType, specifier]) => ({
    from: file,
    to: relative(ROOT, resolve(ROOT, dirname(file), specifier ?? '')),
    isType: isType !== undefined,
  }))
}

/** What SQL has and NXQL, which the core writes, has not. */
const SQL =
  /\b(?:INSERT INTO|DELETE FROM|UPDATE \w+ SET|ON CONFLICT|RETURNING)\b|\bSELECT\b[^`]*?\bFROM [a-z_]+\b|::(?:text|uuid|jsonb?|int)\b|\b(?:jsonb|pg)_\w+/
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm
const TEXT = /`[^`]*`|'[^'\n]*'/g

const folderOf = (path: string): string => path.split('/')[0] ?? ''

const wingOf = (path: string): string => path.split('/')[1] ?? ''

const rooms = new Map<string, string>()

/** The nearest folder around a file that has an `index.ts`, or the top-level folder. */
const roomOf = (file: string): string => {
  const folder = dirname(file)
  const known = rooms.get(folder)
  if (known !== undefined) return known
  const isRoom = !folder.includes('/') || existsSync(join(ROOT, folder, 'index.ts'))
  const room = isRoom ? folder : roomOf(folder)
  rooms.set(folder, room)
  return room
}

/** Rooms that reach each other: the strongly connected components of the graph, by Tarjan's algorithm. */
const cyclesOf = (graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] => {
  const [index, low] = [new Map<string, number>(), new Map<string, number>()]
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (room: string): void => {
    index.set(room, index.size)
    low.set(room, index.get(room)!)
    stack.push(room)
    for (const next of graph.get(room) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(room, Math.min(low.get(room)!, low.get(next)!))
    }
    if (low.get(room) !== index.get(room)) return
    const component = stack.splice(stack.indexOf(room))
    if (component.length > 1) cycles.push(component.sort())
  }
  for (const room of graph.keys()) if (!index.has(room)) visit(room)
  return cycles
}

const imports = Object.keys(ARROWS).flatMap((folder) => sourcesIn(folder).flatMap(importsOf))

/** Large packages that few requests need: they are loaded when one does. */
const LOADED_LATER = /^import\s+(?!type\b)[^'"]*?from\s+'(@elastic\/elasticsearch|nodemailer|postal-mime)'/gm

describe('imports', () => {
  test('of large packages that few need are of their types alone', () => {
    const found = Object.keys(ARROWS)
      .flatMap(sourcesIn)
      .flatMap((file) =>
        [...readFileSync(join(ROOT, file), 'utf8').matchAll(LOADED_LATER)].map(
          ([, name]) => `${file}: ${name}`,
        ),
      )
    expect(found).toEqual([])
  })

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

  test('point one way between the wings of the core', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        folderOf(from) === 'core' &&
        folderOf(to) === 'core' &&
        WINGS.indexOf(wingOf(from)) < WINGS.indexOf(wingOf(to)),
    )
    expect(wrong).toEqual([])
    expect(readdirSync(join(ROOT, 'core')).sort()).toEqual([...WINGS].sort())
  })

  test('make no cycle between rooms, types included', () => {
    const graph = new Map<string, Set<string>>()
    for (const { from, to } of imports) {
      const [source, target] = [roomOf(from), roomOf(to)]
      if (source !== target) graph.set(source, (graph.get(source) ?? new Set()).add(target))
    }
    expect(cyclesOf(graph)).toEqual([])
  })

  test('cross into workflow code, and out of it, as types alone', () => {
    const wrong = imports.filter(
      ({ from, to, isType }) =>
        !isType &&
        TYPES_ONLY.some(([source, target]) => folderOf(from) === source && folderOf(to) === target),
    )
    expect(wrong).toEqual([])
  })

  test('leave Temporal to the folders that are about it', () => {
    const importing = sourcesIn('api').filter((file) =>
      readFileSync(join(ROOT, file), 'utf8').includes("'@temporalio/"),
    )
    expect(importing).toEqual([])
  })

  test('leave it to one place of the engine to start what is followed as a run', () => {
    const starting = Object.keys(ARROWS)
      .flatMap(sourcesIn)
      .filter((file) => /\bworkflow\.start\(/.test(readFileSync(join(ROOT, file), 'utf8')))
    expect(starting).toEqual(['engine/start/start-run.ts'])
  })

  test('point as the architecture page says', () => {
    const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
    const [, section = ''] = page.split('### Which way imports point')
    const rows = [...section.matchAll(/^\| `(\w+)\/` \| ([^:|]*).*\|$/gm)].map(([, folder, targets = '']) => [
      folder,
      [...targets.matchAll(/`(\w+)\/`/g)].map(([, target]) => target),
    ])
    expect(Object.fromEntries(rows)).toEqual(ARROWS)
  })

  test('reach another room by its index', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        !FILE_BY_FILE.includes(folderOf(to)) && roomOf(from) !== roomOf(to) && !to.endsWith('/index.js'),
    )
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  test('lead from the core to no database', () => {
    const isDatabase = (text: string): boolean => /postgres|drizzle/i.test(text)
    const hasSql = (text: string): boolean =>
      [...text.replace(COMMENT, '').matchAll(TEXT)].some(([literal]) => SQL.test(literal))
    const wrong = sourcesIn('core').filter((file) => {
      // What an operator sets is the address of a server.
      if (file.startsWith('core/platform/settings/')) return false
      const text = readFileSync(join(ROOT, file), 'utf8')
      return isDatabase(text) || hasSql(text)
    })
    expect(wrong).toEqual([])
    expect([hasSql('`SELECT id FROM documents`'), hasSql('`SELECT * FROM Document`')]).toEqual([true, false])
  })
})
