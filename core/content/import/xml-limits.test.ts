import { expect, test } from 'vitest'
import { requireModestXml } from './xml-limits.js'
import { readXml } from './xml-node.js'

const nested = (depth: number, inner = '') => `${'<a>'.repeat(depth)}${inner}${'</a>'.repeat(depth)}`
const attributes = (count: number) => Array.from({ length: count }, (_, index) => `p:a${index}="1"`).join(' ')

test('elements are as deep, as many and have as many attributes as documents need', () => {
  const text = `<?xml version="1.0"?><!-- <a><a> --><r>${nested(63, `<b ${attributes(100)}/>`)}<![CDATA[<a><a>]]><c d="x>/" e='"<'/></r>`
  expect(() => requireModestXml('d', text)).not.toThrow()
  expect(readXml('d', '<r><c d="x&gt;/" e=\'"\'/>t</r>')).toMatchObject({
    name: 'r',
    text: 't',
    children: [{ name: 'c', attributes: { d: 'x>/', e: '"' } }],
  })
})

test.each([
  ['too deep', nested(65), '64 levels'],
  ['with too many attributes', `<a ${attributes(101)}/>`, '100 attributes'],
  ['with attributes in one that never ends', `<a ${attributes(101)}`, '100 attributes'],
  ['too many', `<r>${'<a/>'.repeat(200_001)}</r>`, '200000 tags'],
  ['too many comments', '<!---->'.repeat(200_001), '200000 tags'],
])('elements %s are refused before they are parsed', (_, text, message) => {
  const begun = performance.now()
  expect(() => requireModestXml('document.xml', text)).toThrow(message)
  expect(performance.now() - begun).toBeLessThan(5_000)
})

test('what never ends is left to the parser', () => {
  for (const text of ['<', '<a', '<a b="', '<!--', '<![CDATA[', '<?x', '</'])
    expect(() => requireModestXml('d', text)).not.toThrow()
})
