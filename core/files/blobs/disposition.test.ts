import { expect, test } from 'vitest'
import { contentDisposition } from './disposition.js'

test.each([
  ['plan.txt', "attachment; filename*=UTF-8''plan.txt"],
  ['my plan.txt', "attachment; filename*=UTF-8''my%20plan.txt"],
  ['Grüße €.pdf', "attachment; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%E2%82%AC.pdf"],
  ['😀.png', "attachment; filename*=UTF-8''%F0%9F%98%80.png"],
  [`a"b'c(d)*%.txt`, "attachment; filename*=UTF-8''a%22b%27c%28d%29%2A%25.txt"],
  ['a\r\nSet-Cookie: x=1', "attachment; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x%3D1"],
  ['../../etc/passwd', "attachment; filename*=UTF-8''passwd"],
  ['half \ud800', "attachment; filename*=UTF-8''half%20%EF%BF%BD"],
  ['', 'attachment'],
  [null, 'attachment'],
])('disposition of %j', (name, expected) => {
  expect(contentDisposition(name)).toBe(expected)
})

test('inline when asked', () => {
  expect(contentDisposition('a.png', true)).toBe("inline; filename*=UTF-8''a.png")
})

test.each([
  ['invoice\u202Egpj.exe', 'invoicegpj.exe'],
  ['../../x.txt', 'x.txt'],
  ['a\\b.txt', 'b.txt'],
])('%j is stored as %s', (name, stored) => {
  expect(contentDisposition(name)).toBe(`attachment; filename*=UTF-8''${stored}`)
})

test('a name of dots alone is none', () => {
  expect(contentDisposition('..')).toBe('attachment')
})

test('a long name is cut, and keeps its extension', () => {
  expect(contentDisposition(`${'n'.repeat(1_000_000)}.pdf`)).toBe(
    `attachment; filename*=UTF-8''${'n'.repeat(200)}.pdf`,
  )
})
