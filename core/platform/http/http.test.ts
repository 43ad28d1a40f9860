import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { isPublicAddress } from './addresses.js'
import { createHttpClient, createHttpRules } from './index.js'

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['10.1.2.3', false],
  ['127.0.0.1', false],
  ['0.0.0.0', false],
  ['169.254.169.254', false],
  ['172.31.0.1', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['100.64.0.1', false],
  ['224.0.0.1', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:8.8.8.8', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['2001:0:7f00:1::', false],
  ['2001:db8::1', false],
  ['localhost', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected)
})

test.each<[string, string, boolean]>([
  ['', 'http://example.org/', false],
  ['*', 'https://example.org/', true],
  ['example.org', 'http://EXAMPLE.org./', true],
  ['example.org', 'http://www.example.org/', false],
  ['*.example.org', 'http://www.example.org/', true],
  ['*.example.org', 'http://example.org/', false],
  ['*.example.org', 'http://badexample.org/', false],
  ['*', 'http://127.0.0.1/', false],
  ['*', 'http://2130706433/', false],
  ['*', 'http://0x7f.1/', false],
  ['*', 'http://[::1]/', false],
  ['*', 'http://[::ffff:10.0.0.1]/', false],
  ['127.0.0.1', 'http://127.0.0.1/', true],
  ['::1', 'http://[::1]:8080/', true],
  ['*', 'ftp://example.org/', false],
  ['*', 'file:///etc/passwd', false],
])('with %j, %s is allowed: %s', (allowed, url, expected) => {
  const ask = () => createHttpRules(allowed).requireAllowed(new URL(url))
  if (expected) expect(ask).not.toThrow()
  else expect(ask).toThrow(expect.objectContaining({ code: 'badRequest' }))
})

type Answer = (request: IncomingMessage, response: ServerResponse) => void

let answer: Answer
beforeEach(() => {
  answer = (_, response) => response.end('hello')
})
const server = createServer((request, response) => answer(request, response))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const base = `http://127.0.0.1:${port}`
afterAll(() => void server.close())

const client = (allowed: string) => createHttpClient(createHttpRules(allowed))
const get = (allowed: string, url: string) =>
  client(allowed)({ method: 'GET', url }, async ({ status, body }) => `${status} ${await text(body)}`)
const refused = (message: RegExp) => ({ code: 'badRequest', message: expect.stringMatching(message) })

describe('asking a server', () => {
  test('gives what it answers', async () => {
    expect(await get('127.0.0.1', base)).toBe('200 hello')
  })

  test('looks at the address that a name resolves to', async () => {
    const url = `http://localhost:${port}/`
    await expect(get('*', url)).rejects.toMatchObject(refused(/localhost is a private address/))
    expect(await get('localhost', url)).toBe('200 hello')
  })

  test.each([
    ['another host that is private', () => `http://localhost:${port}/`, refused(/does not allow it/)],
    ['another protocol', () => 'file:///etc/passwd', refused(/not an http or https/)],
    [
      'no address',
      () => 'http://',
      { code: 'operationFailed', message: expect.stringMatching(/redirects to an invalid URL/) },
    ],
  ])('refuses a redirection to %s', async (_title, location, error) => {
    let asked = 0
    answer = (_, response) => {
      asked++
      response.writeHead(302, { location: location() }).end()
    }
    const call = get('127.0.0.1', base)
    await expect(call).rejects.toMatchObject(error)
    expect(asked).toBe(1)
  })

  test('gives up after a few redirections', async () => {
    answer = (_, response) => response.writeHead(302, { location: '/again' }).end()
    await expect(get('127.0.0.1', base)).rejects.toMatchObject({ code: 'operationFailed' })
  })

  test.each([
    [302, 'GET', ''],
    [307, 'POST', 'content'],
  ])('after %i asks by %s, and takes no credentials to another host', async (status, method, body) => {
    const seen: (string | undefined)[] = []
    answer = async (request, response) => {
      if (request.url === '/') {
        request.resume()
        return void response.writeHead(status, { location: `http://localhost:${port}/next` }).end()
      }
      seen.push(request.method, await text(request), request.headers.authorization)
      response.end()
    }
    await client('127.0.0.1,localhost')(
      {
        method: 'POST',
        url: base,
        headers: { authorization: 'Basic eA==' },
        body: async () => Readable.from(['content']),
      },
      async () => undefined,
    )
    expect(seen).toEqual([method, body, undefined])
  })

  test('says when nobody answers', async () => {
    // Port 1 is kept for a service that nobody has.
    await expect(get('127.0.0.1', 'http://127.0.0.1:1')).rejects.toMatchObject({
      code: 'operationFailed',
      message: expect.stringContaining('does not answer'),
    })
  })
})
