import { expect } from 'vitest'
import { EVERYONE, EVERYTHING, SYSTEM } from '../../../core/access/security/index.js'
import { getDocument, setAcls } from '../../../core/content/documents/index.js'
import type { Platform } from '../../../runtime/index.js'
import { type Aims, type RandomRequest, randomRequest } from './random-request.js'
import { addUser, type Client } from './rest-client.js'

/** Stands in every document that only administrators may read. */
const SECRET = 'TOPSECRET'

const WORKSPACES = '/default-domain/workspaces'

const prepare = async (platform: Platform, call: Client): Promise<Aims> => {
  const make = async (parent: string, name: string, type: string, properties: object = {}) => {
    const at = `/api/v1/path${parent.split('/').map(encodeURIComponent).join('/')}`
    const { status, text, json } = await call('POST', at, {
      json: { 'entity-type': 'document', name, type, properties },
    })
    expect(status, text).toBe(201)
    return json
  }
  const hidden = await make(WORKSPACES, 'hidden', 'Folder', { 'dc:title': SECRET })
  const inside = await make(hidden.path, 'inside', 'File', {
    'dc:title': SECRET,
    'file:content': { data: SECRET, name: 'a.txt' },
  })
  await platform.withSession(SYSTEM, async (session) => {
    const ace = { username: EVERYONE, permission: EVERYTHING, granted: false }
    await setAcls(session, await getDocument(session, hidden.uid), [{ name: 'local', aces: [ace] }])
  })
  const open = await make(WORKSPACES, 'open é+%?#@x', 'Folder')
  const file = await make(open.path, 'file', 'File', { 'file:content': { data: 'text', name: 'b.txt' } })
  const scratch = await make(WORKSPACES, 'scratch', 'Folder')
  const paths = [
    '/',
    '/default-domain',
    WORKSPACES,
    hidden.path,
    inside.path,
    open.path,
    file.path,
    scratch.path,
  ]
  return {
    ids: [
      hidden.uid,
      inside.uid,
      open.uid,
      file.uid,
      scratch.uid,
      '00000000-0000-4000-8000-000000000000',
      'x',
    ],
    paths,
    scratch: ['made', 'file', 'x'].map((name) => `${scratch.path}/${name}`),
  }
}

const describe = ({ method, path, call }: RandomRequest): string =>
  `${method} ${path} ${JSON.stringify(call).slice(0, 2_000)}`

/** Headers that no client can send, or that change what the request is. */
const send = async (client: Client, { method, path, call }: RandomRequest) => {
  try {
    // Checked first: what cannot be a request at all is no case.
    new Request(new URL(path, 'http://localhost'), { headers: call.headers ?? {} })
  } catch {
    return undefined
  }
  return client(method, path, call)
}

/**
 * Sends random requests of a seed, several at a time, and expects that none fails by a fault of the product and
 * none discloses to a user what only administrators may read.
 *
 * @returns how many were sent, by status.
 */
export const fuzz = async (
  platform: Platform,
  client: Client,
  { random, count, callers = 8 }: { random: () => number; count: number; callers?: number },
): Promise<Map<number, number>> => {
  await addUser(platform, 'ann', ['members'])
  const aims = await prepare(platform, client)
  const statuses = new Map<number, number>()
  let left = count
  const caller = async () => {
    while (left-- > 0) {
      const request = randomRequest(random, aims)
      const answer = await send(client, request)
      if (!answer) continue
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.status >= 500) expect.fail(`${answer.status} ${answer.text} for ${describe(request)}`)
      if (request.call.user !== 'Administrator' && answer.text.includes(SECRET))
        expect.fail(`The secret is disclosed to ${request.call.user}: ${describe(request)}`)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return statuses
}
