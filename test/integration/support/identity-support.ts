import { expect } from 'vitest'
import { createIdentityStore } from '../../../storage/postgres/index.js'
import { addUser, type Client, createClient, type Entity } from './rest-client.js'
import { createTestPlatform } from './rest-support.js'

export const API = '/api/v1'

export const user = (properties: object) => ({ 'entity-type': 'user', properties })
export const group = (values: object) => ({ 'entity-type': 'group', ...values })

export const basic = (name: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})

/** The API with the users power (powerusers), plain and deputy (administrators). */
export const createIdentityBench = async () => {
  const platform = await createTestPlatform()
  const plainCall = createClient(platform)
  /** Groups are shown with their lists. */
  const call: Client = (method, path, { headers, ...rest } = {}) =>
    plainCall(method, path, {
      ...rest,
      headers: { 'fetch.group': 'memberUsers,memberGroups,parentGroups', ...headers },
    })
  await addUser(platform, 'power', ['powerusers'])
  await addUser(platform, 'plain')
  await addUser(platform, 'deputy', ['administrators'])

  const created = async (path: string, json: object): Promise<Entity> => {
    const answer = await call('POST', `${API}/${path}`, { json })
    expect(answer.status, answer.text).toBe(201)
    return answer.json
  }

  return {
    platform,
    /** Asks for nothing more. */
    plainCall,
    call,
    store: createIdentityStore(platform.database.sql),
    newUser: (properties: { username: string; [property: string]: unknown }) =>
      created('user', user(properties)),
    newGroup: (values: { groupname: string; [property: string]: unknown }) => created('group', group(values)),
  }
}
