import { afterAll, expect } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { createTestAutomation } from '../../support/automation.js'
import { soon } from '../../support/soon.js'
import { addUser, type Call, createClient, type Entity } from './rest-client.js'

export const AUTOMATION = '/api/v1/automation'
export const RUNS = `${AUTOMATION}/runs`

/** The API with a worker, and the requests that tests of runs share. */
export const createRunsBench = async (environment: NodeJS.ProcessEnv = {}) => {
  const automation = await createTestAutomation(environment)
  const engine = await createEngine(automation.platform)
  afterAll(() => engine.close())
  const call = createClient(automation.platform, engine)
  await addUser(automation.platform, 'ann')
  await addUser(automation.platform, 'bob')

  const write = (id: string, text: string, type = 'application/yaml') =>
    call('PUT', `/api/v1/contributions/chains/${id}`, { body: text, headers: { 'Content-Type': type } })

  const runOf = async (id: string, options: Call = {}): Promise<Entity> => {
    const answer = await call('GET', `${RUNS}/${encodeURIComponent(id)}`, options)
    expect(answer.status, answer.text).toBe(200)
    return answer.json
  }

  return {
    ...automation,
    engine,
    call,
    /** Deploys a chain without saying whether it may be. */
    write,
    deploy: async (id: string, yaml: string) => {
      const answer = await write(id, yaml)
      expect(answer.status, answer.text).toBeLessThan(300)
    },
    start: (id: string, options: Call = {}) =>
      call('POST', `${AUTOMATION}/${id}`, { ...options, json: options.json ?? {} }),
    runOf,
    ended: (id: string): Promise<Entity> =>
      soon(async () => {
        const run = await runOf(id)
        expect(run.status).not.toBe('RUNNING')
        return run
      }),
    /** A run that has ended, with its steps: a worker reports them, which may take a while on a busy machine. */
    endedWithSteps: (id: string): Promise<Entity> =>
      soon(async () => {
        const run = await runOf(id)
        expect(run.status).not.toBe('RUNNING')
        expect(run.nodes).toBeDefined()
        return run
      }),
    list: async (query: Record<string, string> = {}, options: Call = {}) => {
      const answer = await call('GET', `${RUNS}?${new URLSearchParams(query)}`, options)
      expect(answer.status, answer.text).toBe(200)
      return answer.json
    },
    make: async (parent: string, name: string, type: string, properties: object = {}): Promise<Entity> => {
      const json = { 'entity-type': 'document', type, name, properties }
      const answer = await call('POST', `/api/v1/path${parent}`, { json })
      expect(answer.status, answer.text).toBe(201)
      return answer.json
    },
    propertiesOf: async (id: string): Promise<Entity> => {
      const answer = await call('GET', `/api/v1/id/${id}`, { headers: { properties: '*' } })
      return answer.json.properties
    },
    change: (id: string, properties: object) =>
      call('PUT', `/api/v1/id/${id}`, { json: { 'entity-type': 'document', properties } }),
  }
}

export const runId = ({ headers }: { headers: Headers }): string => headers.get('Archivolt-Workflow-Id') ?? ''
