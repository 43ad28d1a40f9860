import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGES = join(ROOT, 'docs/conformance')

/** Between a file and a test, and between the names of a test's suites and its own. */
const STEP = ' › '
/** A file of tests, or a suite that several backends or servers run. */
const REFERENCE = /`([^`]+\.test\.ts|(?:storage\/contract|test\/support)\/[^`]+\.ts)` › (.+)/

type Row = { line: number; must: string; answer: string }

/** The rows of all tables of a page: cells are parted by bars, a bar inside a cell is written `\|`. */
const rowsOf = (text: string): Row[] =>
  text.split('\n').flatMap((line, at) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
    const [, must = '', answer = ''] = cells
    const isRow = cells.length > 2 && !/^-+$/.test(must) && must !== 'must'
    return isRow ? [{ line: at + 1, must, answer }] : []
  })

/** Titles as the formatter leaves them: after `test(`, `test.each(…)(` or, below a table, `])(`. Skipped tests are none. */
const TITLE =
  /^( *)(?:(test|it|describe)(?:\.each(?:<.*>)?\(.*\))?|[\])]?(?: as const)?\))\(\s*(['"`])((?:\\.|(?!\3|\$\{)[^\n])*)(?:\3,|\$\{)/gm

const testsIn = (file: string): string[] => {
  const suites: { indent: number; title: string }[] = []
  return [...readFileSync(join(ROOT, file), 'utf8').matchAll(TITLE)].flatMap(
    ([, spaces = '', kind, , quoted = '']) => {
      const [indent, title] = [spaces.length, quoted.replaceAll(/\\(.)/g, '$1')]
      while ((suites.at(-1)?.indent ?? -1) >= indent) suites.pop()
      const path = [...suites.map((suite) => suite.title), title].join(STEP)
      if (kind === 'describe') suites.push({ indent, title })
      return kind === 'describe' ? [] : [path]
    },
  )
}

const cache = new Map<string, string[]>()
const testsOf = (file: string): string[] => {
  const tests = cache.get(file) ?? testsIn(file)
  cache.set(file, tests)
  return tests
}

/** A test's names, from its own to the one that begins with its outermost suite. */
const namesOf = (title: string): string[] =>
  title.split(STEP).map((_, from, steps) => steps.slice(from).join(STEP))

/** What is wrong with one `file › test`, or undefined. */
const mistakeIn = (reference: string): string | undefined => {
  const [, file, name] = REFERENCE.exec(reference) ?? []
  if (file === undefined || name === undefined) return 'neither `file.test.ts` › test, nor later: or differs:'
  if (!existsSync(join(ROOT, file))) return `no file ${file}`
  const tests = testsOf(file).map(namesOf)
  const exact = tests.filter((names) => names.includes(name)).length
  const begun = tests.filter((names) => names.some((known) => known.startsWith(name))).length
  if (exact === 1 || begun === 1) return undefined
  return begun === 0
    ? `${file} has no test '${name}'`
    : `${file} has ${begun} tests '${name}': name the suite`
}

const mistakesOf = ({ line, must, answer }: Row): string[] => {
  if (/^later: \S/.test(answer)) return []
  const mistakes = answer.split('<br>').map((reference) => mistakeIn(reference.trim()))
  return mistakes.flatMap((mistake) => (mistake === undefined ? [] : [`line ${line} (${must}): ${mistake}`]))
}

describe('a page of conformance', () => {
  const pages = readdirSync(PAGES).filter((name) => name.endsWith('.md'))

  test.each(pages)('%s names tests that exist', (page) => {
    const rows = rowsOf(readFileSync(join(PAGES, page), 'utf8'))
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.flatMap(mistakesOf)).toEqual([])
  })

  test.each([
    ['no test at all', 'soon', /neither/],
    ['a file that is not there', '`test/unit/nothing.test.ts` › x', /no file/],
    ['a test that is not there', '`test/unit/conformance.test.ts` › nothing like it', /no test/],
    ['a difference without a test', 'differs: because', /neither/],
  ])('is refused with %s', (_case, answer, message) => {
    expect(mistakesOf({ line: 1, must: 'x', answer })).toEqual([expect.stringMatching(message)])
  })

  test.each([
    'later: no upload yet',
    '`test/unit/conformance.test.ts` › a page of conformance › is refused with',
    'differs: told apart, `test/unit/conformance.test.ts` › is refused with',
  ])('may say %s', (answer) => {
    expect(mistakesOf({ line: 1, must: 'x', answer })).toEqual([])
  })
})
