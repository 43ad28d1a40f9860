import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer } from '../../../api/server.js'
import { type Entity, USER_PASSWORD } from '../support/rest-client.js'
import {
  API,
  CLOSED,
  createSecurityBench,
  expectUndisclosed,
  OPEN,
  WORKSPACES,
  withoutReferences,
} from '../support/security-support.js'

const { app, fresh } = await createSecurityBench()
const server = await startServer(app, { host: '127.0.0.1', port: 0 })
afterAll(() => server.stop(100))

type Sent = { method: string; path: string; headers?: { [name: string]: string } }

const STRANGER = `Basic ${Buffer.from(`stranger:${USER_PASSWORD}`).toString('base64')}`

/** A request whose address nothing puts in order on its way. */
const send = ({ method, path, headers = {} }: Sent) =>
  new Promise<{ status: number; headers: Headers; text: string; json: Entity }>((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port: server.port,
        method,
        path,
        headers: { Authorization: STRANGER, ...headers },
        agent: false,
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const sent = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
          resolve({
            status: answer.statusCode ?? 0,
            headers: new Headers(sent as [string, string][]),
            text: Buffer.concat(chunks).toString('utf8'),
            json: undefined,
          })
        })
      },
    )
    asked.on('error', reject)
    asked.end()
  })

let hidden: Entity

beforeAll(async () => {
  hidden = await fresh()
})

const MISSING_ID = '00000000-0000-4000-8000-000000000000'
const missingPath = (path: string): string => path.replace('/closed/', '/nothin/')
const tail = (path: string): string => path.slice(WORKSPACES.length)

describe('over a socket a hidden document looks like none, its length included', () => {
  test.each(['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'SEARCH'])(
    '%s',
    async (method) => {
      for (const address of [
        (id: string) => `${API}/id/${id}`,
        (id: string) => `${API}/id/${id}/@blob/file:content`,
        (id: string) => `${API}/id/${id}/@rendition/mainBlob`,
        (id: string) => `/nxfile/default/${id}/file:content`,
        (id: string) => `/nuxeo/nxbigfile/default/${id}/file:content`,
      ]) {
        const about = await send({ method, path: address(hidden.uid) })
        const none = await send({ method, path: address(MISSING_ID) })
        expect(withoutReferences(about, hidden.uid)).toEqual(withoutReferences(none, MISSING_ID))
        expect(about.status).toBeLessThan(500)
        expect(about.headers.get('content-length')).toBe(none.headers.get('content-length'))
        expectUndisclosed(about)
      }
    },
  )

  test.each<[string, (path: string) => string]>([
    ['a detour', (path) => `${API}/path${OPEN}/..${tail(path)}`],
    ['a detour over the root', (path) => `/../../..${API}/path${path}`],
    ['a detour out of the files', (path) => `/nxfile/../api/v1/path${path}`],
    ['a detour out of what is public', (path) => `/health/live/..${`/../${API.slice(1)}/path${path}`}`],
    ['an escaped detour', (path) => `${API}/path${OPEN}/%2e%2e${tail(path)}`],
    ['an escaped detour out of what is public', (path) => `/metrics/%2e%2e${API}/path${path}`],
    ['doubled slashes in front', (path) => `//api//v1//path${path}`],
    ['doubled slashes', (path) => `${API}//path/${path}//`],
    ['an absolute address', (path) => `http://elsewhere.example${API}/path${path}`],
    ['a fragment', (path) => `${API}/path${path}#/@acl`],
    ['a question mark twice', (path) => `${API}/path${path}?a?b`],
    ['a semicolon', (path) => `${API};x=y/path${path}`],
    ['an escaped root', (path) => `/%61pi/v1/path${path}`],
    ["the router's own prefix", (path) => `/~default${API}/path${path}`],
    ["the router's own prefix, escaped", (path) => `/%7Edefault${API}/path${path}`],
    ['other letters', (path) => `/API/V1/path${path}`],
    ['other letters in the path', (path) => `${API}/path${path.toUpperCase()}`],
  ])('%s', async (_what, spelt) => {
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      const about = await send({ method, path: spelt(hidden.path) })
      const none = await send({ method, path: spelt(missingPath(hidden.path)) })
      const names = (path: string) => [path, tail(path), path.toUpperCase(), tail(path.toUpperCase())]
      expect(withoutReferences(about, ...names(hidden.path))).toEqual(
        withoutReferences(none, ...names(missingPath(hidden.path))),
      )
      expect(about.status).toBeGreaterThanOrEqual(400)
      expect(about.status).toBeLessThan(500)
    }
  })

  test('nothing is public beside what is meant to be', async () => {
    for (const path of [
      `/metrics/..${API}/path${CLOSED}`,
      `/health/live/%2e%2e/%2e%2e${API}/path${CLOSED}`,
      `${API}/path${CLOSED}?x=/health/live`,
      `//health/live/..${API}/me`,
      `/metrics;${API}/me`,
      '/metrics/',
      '/nuxeo/api/v1/me',
    ])
      for (const method of ['GET', 'HEAD', 'POST']) {
        const answer = await send({ method, path, headers: { Authorization: 'Basic ====' } })
        expect([path, method, answer.status]).toEqual([path, method, 401])
      }
  })
})
