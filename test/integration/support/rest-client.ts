import { createApp } from '../../../api/app.js'
import type { Engine } from '../../../api/engine.js'
import { hashPassword } from '../../../core/access/identity/index.js'
import type { Platform } from '../../../runtime/index.js'
import { createIdentityStore } from '../../../storage/postgres/index.js'
import { ADMIN_PASSWORD } from './rest-support.js'

/** What a test says of a request; `user` without a password of its own uses the one of `addUser`. */
export type Call = {
  user?: string | null
  headers?: Record<string, string>
  json?: unknown
  body?: string | FormData | Uint8Array | ReadableStream<Uint8Array>
}

export type Answer = { status: number; headers: Headers; text: string; json: Entity }

// The tests look into entities as clients do; what is not there fails the expectation.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Entity = any

export const USER_PASSWORD = 'pass'

const authorization = (user: string): string => {
  const password = user === 'Administrator' ? ADMIN_PASSWORD : USER_PASSWORD
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

const parse = (text: string): Entity => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Calls the app without a socket, as the administrator by default. */
export const createClient = (platform: Platform, engine?: Engine) => {
  const app = createApp(platform, engine)
  return async (method: string, path: string, call: Call = {}): Promise<Answer> => {
    const { user = 'Administrator', json } = call
    const headers = new Headers(call.headers)
    if (user !== null && !headers.has('Authorization')) headers.set('Authorization', authorization(user))
    if (json !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
    const body = json === undefined ? call.body : JSON.stringify(json)
    const response = await app.request(path, {
      method,
      headers,
      ...(body !== undefined && { body, duplex: 'half' }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parse(text) }
  }
}

export type Client = ReturnType<typeof createClient>

/** Adds a user with the tests' password. */
export const addUser = async (platform: Platform, username: string, groups: readonly string[] = []) => {
  const store = createIdentityStore(platform.database.sql)
  await store.insertUser({
    username,
    passwordHash: await hashPassword(USER_PASSWORD, platform.settings.passwords.cost),
    firstName: null,
    lastName: null,
    email: null,
    company: null,
    isEnabled: true,
  })
  for (const group of groups) await store.addMember(group, username, 'user')
}
