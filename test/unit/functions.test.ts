import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = [
  'activities',
  'api',
  'cli',
  'core',
  'engine',
  'runtime',
  'stack',
  'storage',
  'worker',
  'workflows',
]
const MAX_LINES = 80

/** The formatter gives each level of code two more spaces, so that lines say what belongs to what. */
const DECLARATION = /^(?:export )?(?:const|(?:async )?function\*?) (\w+)/
const MEMBER = /^( {2}| {4})(?:(?:const |async )?[\w$'"-]+(?:: [^=]*)? ?[=:(]|async \*?\w+\(|\w+\()/

/** The lines from one to the end of what begins there. */
const blockAt = (lines: readonly string[], from: number, indent: string): readonly string[] => {
  const isWithin = (line: string): boolean =>
    line === '' || line.startsWith(`${indent} `) || new RegExp(`^${indent}[)\\]}>]`).test(line)
  const length = lines.slice(from + 1).findIndex((line) => !isWithin(line))
  const block = lines.slice(from, length < 0 ? undefined : from + 1 + length)
  return block.slice(0, block.findLastIndex((line) => line !== '') + 1)
}

const hasCode = (lines: readonly string[]): boolean =>
  lines.length > 2 && lines.some((line) => line.includes('=>') || line.trimEnd().endsWith('{'))

/** Lines of a function without those of the functions that it holds: handlers of routes, methods of a store. */
const ownLines = (body: readonly string[]): number => {
  let own = body.length
  for (let at = 1; at < body.length; at++) {
    const indent = MEMBER.exec(body[at]!)?.[1]
    if (indent === undefined) continue
    const member = blockAt(body, at, indent)
    if (!hasCode(member)) continue
    own -= member.length
    at += member.length - 1
  }
  return own
}

/** Functions of a source with their own lines. */
const functionsOf = (source: string): { name: string; own: number }[] => {
  const lines = source.split('\n')
  return lines.flatMap((line, at) => {
    const name = DECLARATION.exec(line)?.[1]
    const body = name === undefined ? [] : blockAt(lines, at, '')
    const isTable = /= [{[]$/.test(line)
    const isFunction =
      !isTable && (line.includes('function') || body.slice(0, 25).some((part) => part.includes('=>')))
    return name !== undefined && isFunction ? [{ name, own: ownLines(body) }] : []
  })
}

const sourcesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(path))
    .map((path) => join(folder, path))

test.each(FOLDERS)(`a function in %s is of at most ${MAX_LINES} lines, or a table of functions`, (folder) => {
  const long = sourcesOf(folder)
    // Suites of contracts are tests.
    .filter((path) => !path.startsWith('storage/contract/'))
    .flatMap((path) =>
      functionsOf(readFileSync(join(ROOT, path), 'utf8')).map(({ name, own }) => ({ path, name, own })),
    )
    .filter(({ own }) => own > MAX_LINES)
  expect(long).toEqual([])
})

describe('the lines of a function', () => {
  const steps = (count: number): string => '  step()\n'.repeat(count)
  const handler = (count: number): string =>
    `  app.get('/x', async (c) => {\n${'    step()\n'.repeat(count)}  })\n`
  const method = (count: number): string =>
    `    find: async () => {\n${'      step()\n'.repeat(count)}    },\n`

  test.each([
    ['statements', `export const run = () => {\n${steps(90)}}\n`, 92],
    ['a store', `const createStore = () => {\n  return {\n${method(50)}${method(50)}  }\n}\n`, 4],
    ['routes', `const createRoutes = () => {\n${steps(3)}${handler(50)}}\n`, 57],
    ['a declared function', `function run() {\n${steps(5)}}\n`, 7],
  ])('%s', (_, source, own) => {
    expect(functionsOf(source).map((one) => one.own)).toEqual([own])
  })
})
