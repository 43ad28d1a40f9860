import { afterAll, expect, inject } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { uniqueName } from '../../support/template.js'
import { addUser, createClient, type Entity } from './rest-client.js'
import { createTestPlatform } from './rest-support.js'

export const API = '/api/v1'
export const FOLDER = '/default-domain/workspaces/conform'
export const HERE = `ecm:path STARTSWITH '${FOLDER}'`

const FILES: readonly [name: string, title: string | null, more?: object][] = [
  ['a', 'alpha', { 'dc:nature': 'memo', 'dc:source': 's', 'file:content': { name: 'a.txt', data: 'aaa' } }],
  ['b', 'Beta', { 'dc:nature': 'report', 'dc:source': 's' }],
  ['c', '100%_\\x', { 'dc:nature': 'memo' }],
  ['d', null, { 'dc:source': 'default' }],
]

export const names = (list: Entity): string[] =>
  list.entries.map(({ path }: { path: string }) => path.split('/').at(-1))

/** The API with four files of `FOLDER`, and how tests of conformance search them. */
export const createSearchBench = async () => {
  const platform = await createTestPlatform({
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
  })
  const engine = await createEngine(platform)
  afterAll(() => engine.close())
  const call = createClient(platform, engine)
  await addUser(platform, 'ann', ['powerusers'])
  const ids: { [name: string]: string } = {}
  const make = async (parent: string, name: string, type: string, properties: object = {}) => {
    const json = { 'entity-type': 'document', name, type, properties }
    const answer = await call('POST', `${API}/path${parent}`, { json })
    if (answer.status !== 201) throw new Error(answer.text)
    ids[name] = answer.json.uid
  }
  await make('/default-domain/workspaces', 'conform', 'Folder', { 'dc:title': 'conform' })
  for (const [name, title, more] of FILES)
    await make(FOLDER, name, 'File', { ...(title !== null && { 'dc:title': title }), ...more })

  const get = (path: string, options = {}) => call('GET', `${API}${path}`, options)
  const search = (nxql: string, more = '', options = {}) =>
    get(`/search/execute?query=${encodeURIComponent(nxql)}${more}`, options)

  return {
    platform,
    call,
    ids,
    get,
    search,
    /** Names of the files of `FOLDER` that a condition finds. */
    find: async (where: string, more = ''): Promise<string[]> => {
      const query = `SELECT * FROM File WHERE ${HERE} AND (${where}) ORDER BY ecm:name`
      const { status, json } = await search(query, more)
      expect([status, json.message]).toEqual([200, undefined])
      return names(json)
    },
    deploy: async (name: string, provider: object): Promise<void> => {
      const answer = await call('PUT', `${API}/contributions/pageProviders/${name}`, { json: provider })
      if (answer.status > 201) throw new Error(answer.text)
    },
  }
}
