import Nuxeo from 'nuxeo'
import { afterAll } from 'vitest'
import { createApp } from '../../../api/app.js'
import { createEngine } from '../../../api/engine.js'
import { startServer } from '../../../api/server.js'
import { createTestAutomation } from '../../support/automation.js'
import { ADMIN_PASSWORD } from '../../support/platform.js'
import { addUser, USER_PASSWORD } from './rest-client.js'

export const WORKSPACES = '/default-domain/workspaces'

type ClientOptions = Nuxeo.Options & { apiPath?: string }

/** The API on a free port with a worker, and the unmodified public client to call it with. */
export const createWire = async () => {
  const automation = await createTestAutomation()
  const engine = await createEngine(automation.platform)
  const server = await startServer(createApp(automation.platform, engine), { host: '127.0.0.1', port: 0 })
  afterAll(async () => {
    await server.stop(100)
    await engine.close()
  })
  const baseURL = `http://127.0.0.1:${server.port}/nuxeo/`

  const clientOf = (username: string, password: string, options: ClientOptions = {}): Nuxeo =>
    new Nuxeo({ baseURL, auth: { method: 'basic', username, password }, ...options })

  return {
    baseURL,
    clientOf,
    /** The administrator's client. */
    client: (options?: ClientOptions) => clientOf('Administrator', ADMIN_PASSWORD, options),
    /** Adds a user, and gives the client of this user. */
    newUser: async (username: string, groups: readonly string[] = []) => {
      await addUser(automation.platform, username, groups)
      return clientOf(username, USER_PASSWORD)
    },
  }
}

export type Refusal = {
  status: number
  entity: { 'entity-type'?: string; status?: number; message?: string }
}

/** How the client reports a call that is refused: an error that carries the answer. */
export const refusalOf = async (call: Promise<unknown>): Promise<Refusal> => {
  const error = await call.then(
    () => new Error('The call was not refused'),
    (reason: Error) => reason,
  )
  if (!('response' in error)) throw error
  const response = error.response as Nuxeo.Answer
  const text = await response.text()
  return { status: response.status, entity: text === '' ? {} : JSON.parse(text) }
}

/** Deploys a chain from the YAML of its view. */
export const deploy = (client: Nuxeo, id: string, yaml: string): Promise<unknown> =>
  client
    .request(`contributions/chains/${id}`)
    .put({ body: yaml, headers: { 'Content-Type': 'application/yaml' } })
