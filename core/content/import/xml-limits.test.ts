import { expect, test } from 'vitest'
import { readXml } from './xml-node.js'

const nested = (depth: number, inner = '') => `${'<a>'.repeat(depth)}${inner}${'</a>'.repeat(depth)}`
const attributes = (count: number) => Array.from({ length: count }, (_, index) => `p:a${index}="1"`).join(' ')

test('elements are as deep, as many and have as many attributes as documents need', () => {
  const text = `<?xml version="1.0"?><!-- <a><a> --><r>${nested(63, `<b ${attributes(100)}/>`)}<![CDATA[<a><a>]]><c d="x>/" e='"&lt;'/></r>`
  let parts = 0
  const count = (counted: number) => {
    parts = counted
  }
  expect(() => readXml('d', text, count)).not.toThrow()
  // The comment, <r> and its end, 126 tags, <b> and its attributes, CDATA, <c> and its attributes.
  expect(parts).toBe(1 + 2 + 126 + 101 + 1 + 3)
  expect(readXml('d', '<r><c d="x&gt;/" e=\'"\'/>t</r>')).toMatchObject({
    name: 'r',
    text: 't',
    children: [{ name: 'c', attributes: { d: 'x>/', e: '"' } }],
  })
})

test('text is kept to the blank, with what stands between elements and in CDATA', () => {
  const text = '\uFEFF<r> a<b/>\r\n<![CDATA[<&]]>&amp;&#x41;<!-- c --><?p i?>z </r>\n'
  expect(readXml('d', text)).toMatchObject({ text: ' a\n<&&Az ', children: [{ name: 'b', text: '' }] })
})

test.each([
  ['too deep', nested(65), '64 levels'],
  ['with too many attributes', `<a ${attributes(101)}/>`, '100 attributes'],
  ['with attributes in one that never ends', `<a ${attributes(101)}`, '100 attributes'],
  ['too many', `<r>${'<a/>'.repeat(200_001)}</r>`, '200000 tags'],
  ['too many comments', '<!---->'.repeat(200_001), '200000 tags'],
])('elements %s are refused', (_, text, message) => {
  expect(() => readXml('document.xml', text)).toThrow(message)
})

const took = (work: () => unknown): number => {
  const begun = performance.now()
  work()
  return performance.now() - begun
}

const bare = (count: number) => Array.from({ length: count }, (_, index) => `b${index}:c`).join(' ')
const HIDDEN = `<a ">${'<a xmlns:p="u">'.repeat(10_000)}<b ${bare(60_000)}/>"></a>`

test.each([
  [
    'a quote that is no value',
    `<document id="x"><system><type>Note</type></system>${HIDDEN}</document>`,
    'document.xml: line 1: disallowed character in attribute name',
  ],
  ['attributes without values', `<a ${bare(400_000)}/>`, 'line 1: attribute without value'],
  ['tags without names', `<a>${'<1'.repeat(400_000)}</a>`, 'line 1: disallowed character'],
])('nothing is read behind the first fault: %s', (_, text, message) => {
  const harmless = took(() => readXml('document.xml', `<a>${'x'.repeat(text.length)}</a>`))
  const hostile = took(() => expect(() => readXml('document.xml', text)).toThrow(message))
  // With all that stands behind it, it took some thousand times as long.
  expect(hostile / harmless).toBeLessThan(200)
})

test.each([
  ...['<', '<a', '<a b="', '<!--', '<![CDATA[', '<?x', '</', ''],
  ...['<a>', '<a></b>', '<a/><b/>', '<a>\uFFFD</a>', '<a>&b;</a>', '<a b="1" b="2"/>', '<a b=1/>'],
])('what is no XML is refused: %j', (text) => {
  expect(() => readXml('d', text)).toThrow(/^d: line 1: /)
})
