import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type Node, parse } from 'acorn'
import { transform } from 'esbuild'
import { checkSync } from 'recheck'
import { expect, test } from 'vitest'

/**
 * Patterns of the servers take a time that grows as the text does: one that grows with its square, or worse, lets a
 * caller with a long text stop a process.
 */

/** What each pattern is given is short, or comes from the product itself. */
const BOUNDED: { readonly [source: string]: string } = {
  '(?<![\\w.-])[\\w.-]+: [^\\n]*? @ (?:warning|error)\\/\\S+': 'what a program says, which is cut',
  '^(?:\\.?\\/)?(?:[\\w-]+\\/)*(?:files\\/[^/?\\s]+\\?path=|nx(?:big)?file\\/[^/\\s]+\\/)\\S+$':
    'an address of at most 4,000 characters',
  '((?:file:\\/\\/)?\\/[^\\s():]+\\.js):(\\d+):(\\d+)': 'a stack of at most 16,384 characters',
  '^(now|\\d{4}[^|]*?)(?:\\|\\|)?((?:[+-]\\d+[yMwdhHms]|\\/[yMwdhHms])*)$':
    'a date of at most 200 characters',
  'Audit\\w*$': 'the name of a class in a contribution',
}

const TIMEOUT_MS = 1_000

const SERVERS = ['activities', 'api', 'core', 'engine', 'runtime', 'storage', 'worker', 'workflows']

const sources = execFileSync('git', ['ls-files', ...SERVERS.map((folder) => `${folder}/*.ts`)], {
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => !/\.(?:test|fixture)\.ts$/.test(file))

type Pattern = { source: string; flags: string }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

const patternsIn = (node: Node): Pattern[] => {
  const { regex } = node as Node & { regex?: { pattern: string; flags: string } }
  const own = regex ? [{ source: regex.pattern, flags: regex.flags }] : []
  return [...own, ...Object.values(node).flat().filter(isNode).flatMap(patternsIn)]
}

const patternsOf = async (file: string): Promise<Pattern[]> => {
  const { code } = await transform(readFileSync(file, 'utf8'), { loader: 'ts', target: 'esnext' })
  return patternsIn(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }))
}

/** How much longer a text may take, where that is not in proportion to its length. */
const complexityOf = ({ source, flags }: Pattern): string | undefined => {
  // `v` is not known there; what its classes add makes nothing slower.
  const found = checkSync(source, flags.replace('v', 'u'), { timeout: TIMEOUT_MS })
  return found.status === 'vulnerable' ? found.complexity.summary : undefined
}

test('no pattern of the servers takes more than in proportion to its text', async () => {
  const patterns = new Map<string, Pattern & { file: string }>()
  for (const file of sources)
    for (const pattern of await patternsOf(file))
      patterns.set(`/${pattern.source}/${pattern.flags}`, { ...pattern, file })
  expect(patterns.size).toBeGreaterThan(300)
  const slow = [...patterns.values()].flatMap(({ file, ...pattern }) => {
    if (Object.hasOwn(BOUNDED, pattern.source)) return []
    const complexity = complexityOf(pattern)
    return complexity === undefined ? [] : [`${file}: /${pattern.source}/ ${complexity}`]
  })
  expect(slow).toEqual([])
})

test.each([
  ['"(?:[^"\\\\]+|\\\\.)*"', 'exponential'],
  ['\\*+$', '2nd degree polynomial'],
  ['(?<!\\*)\\*+$', undefined],
])('the check knows %s', (source, complexity) => {
  expect(complexityOf({ source, flags: 'g' })).toBe(complexity)
})
