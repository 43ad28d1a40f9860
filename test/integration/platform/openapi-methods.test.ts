import { afterAll, describe, expect, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

/** What the OpenAPI document does not describe is 405, and `Allow` lists what it does. */

const platform = await createTestPlatform()
// Connects to nothing until something is run.
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)

const VERBS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']
const { paths, servers } = (await call('GET', '/api/v1/openapi.json')).json as Entity
const base = new URL(servers[0].url, 'http://localhost').pathname.replace(/\/$/, '')
const { uid } = (await call('GET', '/api/v1/path/default-domain/workspaces')).json

/** Operations and chains have addresses of their own in the description, and share a route with all others. */
const isOfChain = (template: string): boolean => /^\/automation\/(?!login$)[^/]+$/.test(template)
const chainVerbs = Object.entries<Entity>(paths).flatMap(([template, item]) =>
  /^\/automation\/\{\w+\}$/.test(template) ? verbsIn(item) : [],
)

/** An address of a template: of a document that is there, and of names that nothing has. */
const addressOf = (template: string): string => {
  const path = template.replace(/^\/id\/\{\w+\}/, `/id/${uid}`)
  const named = path.replace('{repository}', 'default')
  const root = named.replace(/^\/path\/\{\w+\}/, '/path/default-domain/workspaces')
  return root.replace(/\{\w+\}/g, 'x')
}

function verbsIn(item: Entity): string[] {
  return Object.keys(item)
    .map((verb) => verb.toUpperCase())
    .filter((verb) => VERBS.includes(verb))
}

type Row = [template: string, address: string, described: string[]]

const rows = Object.entries<Entity>(paths).map(([template, { servers: own, ...item }]): Row => {
  const root = own ? new URL(own[0].url, 'http://localhost').pathname.replace(/\/$/, '') : base
  const described = new Set([...verbsIn(item), ...(isOfChain(template) ? chainVerbs : [])])
  return [template, `${root}${addressOf(template)}`, [...described]]
})

test('there are many addresses', () => {
  expect(rows.length).toBeGreaterThan(150)
})

describe('verbs that are not described', () => {
  test.each(rows)('of %s', async (_template, address, described) => {
    const allowed = [...described, ...(described.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort()
    const found: unknown[] = []
    for (const verb of VERBS.filter((verb) => !described.includes(verb))) {
      const { status, headers } = await call(verb, address, verb === 'GET' ? {} : { json: {} })
      found.push([verb, status, headers.get('Allow')?.split(', ').sort()])
    }
    const refused = VERBS.filter((verb) => !described.includes(verb))
    expect(found).toEqual(refused.map((verb) => [verb, 405, allowed]))
  })
})
