import { expect, test } from 'vitest'
import { fileNameOf } from './file-name.js'

test.each([
  ['attachment; filename="a b.pdf"', 'a b.pdf'],
  ['attachment; filename=a.pdf', 'a.pdf'],
  ['attachment; filename="a.pdf"; filename*=UTF-8\'\'gr%C3%B6%C3%9Fe.pdf', 'größe.pdf'],
  ['attachment; filename="a.pdf"; filename*=UTF-8\'\'%E0%A4%A', 'a.pdf'],
  ['attachment; filename="say \\"hi\\".txt"', 'say "hi".txt'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  ["attachment; filename*=UTF-8''..%2F..%2Fx", 'x'],
  ['attachment; filename="..\\\\..\\\\x.bat"', 'x.bat'],
  ['attachment; filename=".."', 'result'],
  ['attachment', 'result'],
  [null, 'result'],
])('%s -> %s', (disposition, expected) => {
  expect(fileNameOf(disposition)).toBe(expected)
})
