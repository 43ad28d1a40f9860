import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = new URL('../..', import.meta.url)
const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, ROOT)), 'utf8')

const DRIVER = 'node_modules/postgres'
const { version } = JSON.parse(read(`${DRIVER}/package.json`)) as { version: string }

/** What the patch removes and adds in each file, without its surroundings. */
const changes = new Map(
  read(`patches/postgres+${version}.patch`)
    .split(/^diff --git a\//m)
    .slice(1)
    .map((section) => {
      const file = section.slice(`${DRIVER}/`.length, section.indexOf(' '))
      const lines = section.split('\n').filter((line) => /^[-+](?!-- |\+\+ )/.test(line))
      return [file, lines] as const
    }),
)
const sources = [...changes.keys()].filter((file) => file.startsWith('src/'))

describe('the patch of the driver', () => {
  test('is one of sources and types', () => {
    expect(sources).toEqual(['src/connection.js', 'src/index.js', 'src/query.js', 'src/queue.js'])
    expect([...changes.keys()].sort()).toEqual(
      [...sources.flatMap((file) => [file, `cjs/${file}`]), 'types/index.d.ts'].sort(),
    )
  })

  test.each(sources)('changes %s alike in both builds', (file) => {
    expect(changes.get(`cjs/${file}`)).toEqual(changes.get(file))
  })

  test.each([...changes.keys()])('has been applied to %s', (file) => {
    const added = changes.get(file)?.filter((line) => line.startsWith('+')) ?? []
    const lines = new Set(read(`${DRIVER}/${file}`).split('\n'))
    expect(added.map((line) => line.slice(1)).filter((line) => !lines.has(line))).toEqual([])
  })

  test('is shown to be needed by tests that exist', () => {
    const rows = read('patches/README.md')
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (where|---)/.test(line))
    const tests = ['driver', 'cut-connections'].map((name) =>
      read(`test/integration/storage/${name}.test.ts`),
    )
    const names = rows.map((row) => /\| `([^`]+)`(?: \(`cut-connections`\))? \|$/.exec(row)?.[1] ?? row)
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !tests.some((source) => source.includes(`'${name}'`)))).toEqual([])
  })
})
