import { expect, test } from 'vitest'
import { parseXml } from './elements.js'
import { createReport } from './report.js'

const parsed = (text: string) => {
  const { report, problems } = createReport()
  const root = parseXml(text, report)
  return { root, problems }
}

const bare = (count: number) => Array.from({ length: count }, (_, index) => `b${index}:c`).join(' ')

test.each([
  [
    'a quote that is no value',
    `<a>\n<a ">${'<a xmlns:p="u">'.repeat(3_000)}<b ${bare(30_000)}/>"></a></a>`,
    'attribute value must after',
  ],
  ['attributes without values', `<a>\n<a ${bare(100_000)}/></a>`, 'missed value'],
  ['tags without names', `<a>\n${'<1'.repeat(400_000)}</a>`, 'unexpected < in tag name'],
])('the parser is given up at the first fault: %s', (_, text, message) => {
  const begun = performance.now()
  parsed(`<a>${'x'.repeat(text.length)}</a>`)
  const harmless = performance.now() - begun
  const { root, problems } = parsed(text)
  // With all that stands behind it, it took some thousand times as long.
  expect((performance.now() - begun - harmless) / harmless).toBeLessThan(200)
  expect(root).toBeUndefined()
  expect(problems).toMatchObject([{ line: 2, message: expect.stringContaining(message) }])
})

test('a document type is named before what follows from it', () => {
  for (const text of ['<!DOCTYPE a><a/>', '<!DOCTYPE a><a>&b;</a>', '<!DOCTYPE a><a'])
    expect(parsed(text).problems).toMatchObject([{ line: 1, message: expect.stringContaining('<!DOCTYPE>') }])
})
