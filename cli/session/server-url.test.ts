import { expect, test } from 'vitest'
import { isExposed, serverUrl } from './server-url.js'

test.each([
  ['http://localhost:8080', 'http://localhost:8080'],
  ['HTTP://LocalHost:80/', 'http://localhost'],
  ['https://h/nuxeo//', 'https://h/nuxeo'],
])('%s is %s', (text, expected) => {
  expect(serverUrl(text)).toBe(expected)
})

test.each([
  '',
  'localhost:8080',
  'ftp://h',
  'http://',
  'http://ann:secret@h',
  'http://h?x=1',
  'javascript:1',
])('refuses %j', (text) => {
  expect(() => serverUrl(text)).toThrow(/address/i)
})

test.each([
  ['http://127.0.0.1:8080', false],
  ['http://localhost', false],
  ['http://[::1]:1', false],
  ['https://example.org', false],
  ['http://example.org', true],
  ['http://127.0.0.1.example.org', true],
])('%s sends passwords in the clear: %s', (url, expected) => {
  expect(isExposed(url)).toBe(expected)
})
