import { afterAll, describe, expect, test } from 'vitest'
import { createApp } from '../../../api/app.js'
import { auditAdapter } from '../../../api/audit/index.js'
import { createEngine } from '../../../api/engine.js'
import { adapterEngine } from '../../../api/engine-adapters.js'
import { createAdapters } from '../../../api/rest/adapters/index.js'
import { createRestServices } from '../../../api/rest/index.js'
import { routeDocs } from '../../../api/route-docs.js'
import { pageProviderAdapter } from '../../../api/search/index.js'
import { workflowAdapters, workflowServices } from '../../../api/workflow/index.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform()
// Connects to nothing until something is run.
const engine = await createEngine(platform)
afterAll(() => engine.close())
const app = createApp(platform, engine)
const docs = routeDocs({ hasEngine: true })

const API = '/api/v1'
const DISPATCHED = /^\/api\/v1\/(?:id|path)(?:\/\*)?$/

type Route = { method: string; path: string }

const isServed = ({ method, path }: Route): boolean =>
  !path.startsWith('/~') && !DISPATCHED.test(path) && !(method === 'ALL' && path === '/*')

/** Addresses of a template: a parameter with few values has each of them, and one that it does not have. */
const addressesOf = ({ path, parameters }: (typeof docs)[number]): string[] => {
  const full = path.startsWith('//') ? path.slice(1) : `${API}${path}`
  const shape = parameters?.path?.shape ?? {}
  return [...full.matchAll(/\{(\w+)\}/g)].reduce<string[]>(
    (addresses, [braced, name = '']) => {
      const options = (shape[name] as { options?: string[] } | undefined)?.options ?? []
      return addresses.flatMap((address) => [...options, 'x'].map((value) => address.replace(braced, value)))
    },
    [full],
  )
}

/** The route that answers, as the router finds it. */
const servedBy = (method: string, address: string): Route | undefined => {
  const [handlers] = app.router.match(method, address)
  return handlers.map(([[, route]]) => route as Route).find(isServed)
}

const keyOf = ({ method, path }: Route): string => `${method} ${path.replace(/(?<=.)\/$/, '')}`

const onDocument = (path: string): boolean => /^\/(?:id|path)\//.test(path)

describe('routes', () => {
  const plain = docs.filter(({ path }) => !onDocument(path))

  test('that are served are described', () => {
    const served = app.routes.filter(isServed).map(keyOf)
    const described = plain.flatMap((doc) =>
      addressesOf(doc).flatMap((address) => servedBy(doc.method, address) ?? []),
    )
    const known = new Set(described.map(keyOf))
    expect(served.length).toBeGreaterThan(40)
    expect([...new Set(served)].filter((route) => !known.has(route))).toEqual([])
  })

  test('that are described are served', () => {
    const missing = plain.filter((doc) => addressesOf(doc).every((address) => !servedBy(doc.method, address)))
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })
})

describe('adapters of documents', () => {
  const rest = createRestServices(platform)
  const answer = async () => new Response()
  const adapters = [
    ...createAdapters(
      rest,
      adapterEngine(rest, engine, { convert: answer, callOn: answer, runLarge: async () => undefined }),
    ),
    auditAdapter(rest),
    pageProviderAdapter(rest),
    ...workflowAdapters(workflowServices(rest, engine)),
  ]
  const lists = adapters.filter(({ list }) => list).map(({ name }) => `@${name}`)

  /** Chains of adapters with their methods, e.g. `@blob/@convert`. */
  const served = new Map<string, string[]>([
    ['', ['GET', 'POST', 'PUT', 'DELETE']],
    ...adapters.flatMap(({ name, methods, follows = [], takesLists }): [string, string[]][] => {
      const before = ['', ...follows.map((other) => `@${other}/`)]
      const behind = takesLists ? lists.map((list) => `${list}/`) : []
      return [...before, ...behind].map((prefix) => [`${prefix}@${name}`, Object.keys(methods)])
    }),
  ])

  const described = (root: 'id' | 'path'): Map<string, Set<string>> => {
    const found = new Map<string, Set<string>>()
    for (const { method, path } of docs) {
      if (!path.startsWith(`/${root}/`)) continue
      const chain = path
        .split('/')
        .filter((part) => part.startsWith('@'))
        .join('/')
      found.set(chain, (found.get(chain) ?? new Set()).add(method))
    }
    return found
  }

  test.each(['id', 'path'] as const)('are all described, by %s', (root) => {
    expect([...described(root).keys()].sort()).toEqual([...served.keys()].sort())
  })

  test.each([...served])('%s has the methods that are described', (chain, methods) => {
    const known = [...(described('id').get(chain) ?? [])]
    // A list is read and handed on, whatever else is possible with one document.
    const isOfList = lists.some((list) => chain.startsWith(`${list}/`))
    expect(known.sort()).toEqual(
      isOfList ? known.filter((method) => methods.includes(method)) : [...methods].sort(),
    )
    expect([...(described('path').get(chain) ?? [])].sort()).toEqual(known)
  })
})
