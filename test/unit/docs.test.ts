import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const README = 'README.md'
const MAX_README_LINES = 130
const MAX_WORDS = 30

/** Words that have a better one in the field. */
const PRIVATE_WORDS =
  /\b(?:tells?|told|hears?|heard|anew|of old|at hand|in one breath|pass(?:ed|es)? over|rehears\w*|mends?)\b/i

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))

const docs = filesBelow('docs').filter((path) => path.endsWith('.md'))
const pages = [README, 'CONTRIBUTING.md', 'bench/README.md', 'patches/README.md', ...docs]

const CODE_BLOCK = /^( *)```.*\n[\s\S]*?^\1```$/gm
const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g
const INLINE_CODE = /`([^`\n]+)`/g

const withoutCode = (page: string): string => read(page).replaceAll(CODE_BLOCK, '')

type Link = { path: string; anchor: string | undefined }

/** The links of a page that stay inside the project, as paths from its root. */
const linksOf = (page: string): Link[] =>
  [...withoutCode(page).matchAll(LINK)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return []
    const [path = '', anchor] = target.split('#')
    return [{ path: path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), path)), anchor }]
  })

/** A heading's anchor, as the usual hosts of repositories make it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (page: string): string[] =>
  [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

const isBroken = ({ path, anchor }: Link): boolean =>
  !existsSync(join(ROOT, path)) ||
  (anchor !== undefined && path.endsWith('.md') && !anchorsOf(path).includes(anchor))

/** Folders of the project, without those that a command creates. */
const folders = (() => {
  const created = read('.gitignore').split('\n')
  return readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => !created.includes(`${name}/`))
})()

const known = folders.flatMap((folder) => [folder, ...filesBelow(folder)])

/** Does the project have a file or folder of this path, where `*` stands for a part of a name? */
const isKnown = (path: string): boolean => {
  const escaped = path.replace(/\/$/, '').replaceAll(/[.+?^$()[\]|\\]/g, '\\$&')
  const choices = escaped.replaceAll(
    /\{([^}]*)\}/g,
    (_, names: string) => `(?:${names.replaceAll(',', '|')})`,
  )
  const pattern = new RegExp(`^${choices.replaceAll('*', '[^/]*')}$`)
  return known.some((candidate) => pattern.test(candidate))
}

const pathsOf = (page: string): string[] =>
  [...withoutCode(page).matchAll(INLINE_CODE)]
    .map(([, code = '']) => code)
    .filter((code) => /^[\w./*{},-]+$/.test(code) && folders.some((folder) => code.startsWith(`${folder}/`)))

/** The tables of conformance list tests, whose names are what they are. */
const isListOfTests = (page: string): boolean => page.startsWith('docs/conformance/')

/** Where links that are named elsewhere lead. */
const LINK_DEFINITION = /^\[[^\]]+\]: \S+$/gm

/** Paragraphs, items of lists and cells of tables, each as one line. */
const blocksOf = (page: string): string[] =>
  withoutCode(page)
    .replaceAll(LINK_DEFINITION, '')
    .replaceAll(/^\|.*$/gm, (row) =>
      isListOfTests(page) ? '' : `\n${row.split(/(?<!\\)\|/).join('\n\n')}\n`,
    )
    .replaceAll(/^ *(?:[-*]|\d+\.|#+|>) /gm, '\n')
    .split(/\n\s*\n/)
    .map((block) => block.replaceAll(/\s+/g, ' ').trim())
    .filter((block) => /\p{L}/u.test(block))

const proseOf = (block: string): string =>
  block.replaceAll(INLINE_CODE, 'Code').replaceAll(LINK, (link) => link.slice(1, link.indexOf(']')))

const sentencesOf = (page: string): string[] =>
  blocksOf(page).flatMap((block) => proseOf(block).split(/(?<=[.!?][)"'*]*)\s+/))

const wordsIn = (sentence: string): number =>
  sentence.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length

/** The first line under the title. */
const purposeOf = (page: string): string | undefined => /^# .+\n\n(.+)\n(?:\n|$)/.exec(read(page))?.[1]

describe('the documentation', () => {
  test('has a short README', () => {
    expect(read(README).split('\n').length).toBeLessThan(MAX_README_LINES)
  })

  test('is reachable from the README, page by page', () => {
    const reached = new Set<string>()
    const visit = (page: string): void => {
      if (reached.has(page) || !pages.includes(page)) return
      reached.add(page)
      for (const { path } of linksOf(page)) visit(path)
    }
    visit(README)
    expect(pages.filter((page) => !reached.has(page))).toEqual([])
  })

  test.each(pages)('%s links to what exists', (page) => {
    expect(linksOf(page).filter(isBroken)).toEqual([])
  })

  test.each(pages)('%s names files and folders that exist', (page) => {
    expect(pathsOf(page).filter((path) => !isKnown(path))).toEqual([])
  })

  test.each(docs)('%s says its purpose in its first line', (page) => {
    expect(purposeOf(page)).toMatch(/^\p{Lu}.* .*\.$/u)
  })

  test.each(pages)(`%s has no sentence of more than ${MAX_WORDS} words`, (page) => {
    expect(sentencesOf(page).filter((sentence) => wordsIn(sentence) > MAX_WORDS)).toEqual([])
  })

  test.each(pages)('%s uses the words of the field', (page) => {
    expect(sentencesOf(page).filter((sentence) => PRIVATE_WORDS.test(sentence))).toEqual([])
  })
})

describe('a page', () => {
  test.each([
    ['docs/rest.md', true],
    ['docs/no-such-page.md', false],
    ['test/unit/*.test.ts', true],
    ['core/{platform,no-such-wing}', true],
    ['core/{no-such-wing,no-other}', false],
  ])('that names %s: it exists: %s', (path, exists) => {
    expect(isKnown(path)).toBe(exists)
  })

  test.each([
    [{ path: 'docs/rest.md', anchor: undefined }, false],
    [{ path: 'docs/no-such-page.md', anchor: undefined }, true],
    [{ path: 'docs/rest.md', anchor: 'no-such-heading' }, true],
  ])('that links to %j: it is broken: %s', (link, broken) => {
    expect(isBroken(link)).toBe(broken)
  })
})
