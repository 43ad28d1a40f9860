import { describe, expect, test } from 'vitest'
import { readXml } from '../import/index.js'
import { elementsAt, parseElementPath } from './element-path.js'

const root = readXml(
  'scan.xml',
  `<scan xmlns:m="x"><doc id="1"><title>one</title><m:page no="1">p1</m:page><m:page no="2">p2</m:page></doc>
   <doc id="2"><title>two</title></doc></scan>`,
)

test.each([
  ['/scan/doc/title', ['one', 'two']],
  ['scan/doc/title', ['one', 'two']],
  ['//title', ['one', 'two']],
  ["//doc[@id='2']/title", ['two']],
  ['//doc[@id="1"]//page', ['p1', 'p2']],
  ['//m:page[2]', ['p2']],
  ['/scan/*/title', ['one', 'two']],
  ['/scan/doc[2]/title[1]', ['two']],
  ['/doc', []],
  ['/scan/title', []],
  ['//other:page', []],
])('%s finds %j', (path, texts) => {
  expect(elementsAt(root, path).map(({ text }) => text)).toEqual(texts)
})

describe('what is none of these paths is refused', () => {
  test.each(['', '/', 'a//', '/a/@b', 'a/text()', 'a[b]', "a[@b='c'", 'count(//a)', 'a b', '///a', '..'])(
    '%j',
    (path) => {
      expect(parseElementPath(path)).toBeUndefined()
    },
  )
})
