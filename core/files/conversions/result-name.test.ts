import { expect, test } from 'vitest'
import { resultName } from './result-name.js'

test.each([
  ['report.docx', 'application/pdf', 'report.pdf'],
  ['archive.tar.gz', 'text/plain', 'archive.tar.txt'],
  ['README', 'text/html', 'README.html'],
  ['photo.jpeg', 'image/jpeg', 'photo.jpg'],
  ['film.mov', 'video/webm', 'film.webm'],
  [null, 'application/pdf', 'converted.pdf'],
  ['', 'video/mp4', 'converted.mp4'],
  ['a.b', 'application/x-nobody-knows', 'a.bin'],
])('%j as %s is %s', (name, mimeType, expected) => {
  expect(resultName(name, mimeType)).toBe(expected)
})
