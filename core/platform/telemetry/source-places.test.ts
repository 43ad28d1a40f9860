import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { originalsOf } from './mappings.js'
import { createSourcePlaces } from './source-places.js'

const folder = mkdtempSync(join(tmpdir(), 'archivolt-places-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const thrower = `type Reason = {
  text: string
}

export const fail = ({ text }: Reason): never => {
  throw new Error(text)
}
`
const entry = `import { fail } from './thrower.js'

export const run = (): void => {
  fail({ text: 'here' })
}
`
writeFileSync(join(folder, 'thrower.ts'), thrower)
writeFileSync(join(folder, 'entry.ts'), entry)
const bundle = join(folder, 'bundle.js')
await build({
  ...{ entryPoints: [join(folder, 'entry.ts')], outfile: bundle, bundle: true, format: 'esm' },
  ...{ sourcemap: true, sourcesContent: false, minify: true, logLevel: 'error' },
})

/** Of a process of its own, as that of the tests says where sources are by itself. */
const stackOfBundle = (): string => {
  const program = `import(${JSON.stringify(pathToFileURL(bundle).href)})
    .then(({ run }) => run()).catch(({ stack }) => process.stdout.write(stack))`
  return execFileSync(process.execPath, ['-e', program], { encoding: 'utf8', env: {} })
}

test('places in a bundle become those in its sources', () => {
  const stack = stackOfBundle()
  expect(stack).toContain('bundle.js:')
  const places = createSourcePlaces(folder)
  for (const time of [1, 2]) {
    const lines = places(stack).split('\n')
    expect(lines[1], `time ${time}`).toContain(`${join(folder, 'thrower.ts')}:6:9`)
    expect(lines[2]).toContain(`${join(folder, 'entry.ts')}:4:3`)
    expect(lines.length).toBe(stack.split('\n').length)
  }
})

test('places elsewhere, and of a bundle without a map, stay', () => {
  const stack = stackOfBundle()
  expect(createSourcePlaces(tmpdir())(stack)).toBe(stack)
  const lost = stack.replaceAll('bundle.js', 'lost.js')
  expect(createSourcePlaces(folder)(lost)).toBe(lost)
})

test('every place is where Node says', () => {
  const { sources, mappings, ...rest } = JSON.parse(readFileSync(`${bundle}.map`, 'utf8'))
  const node = new SourceMap({ sources, mappings, ...rest })
  const code = readFileSync(bundle, 'utf8').split('\n')
  // Of a line without any, such as the last one with the name of the map, Node names the place before.
  const mapped = code.filter((_, line) => mappings.split(';')[line])
  const wanted = mapped.flatMap((text, line) => [...text].map((_, column) => ({ line, column })))
  const expected = wanted.map(({ line, column }) => {
    const found = node.findEntry(line, column)
    if (!('originalSource' in found)) return undefined
    const { originalSource, originalLine, originalColumn } = found
    return { source: sources.indexOf(originalSource), line: originalLine, column: originalColumn }
  })
  expect(wanted.length).toBeGreaterThan(50)
  expect(originalsOf(mappings, wanted)).toEqual(expected)
})
