import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../core/access/security/index.js'
import {
  CHAINS,
  createChainHandler,
  createChainRegistry,
  parseChain,
} from '../../../../core/automation/chains/index.js'
import { defineOperation } from '../../../../core/automation/language/index.js'
import { namesOfYaml } from '../../../../core/automation/lint/names.fixture.js'
import {
  type ContributionStore,
  createContributionDeployments,
  createContributionFeed,
  type NewContributionVersion,
  NO_MARK,
  type PointHandler,
} from '../../../../core/platform/contributions/index.js'
import { isArchivoltError } from '../../../../core/platform/errors/index.js'
import { createContributionStore } from '../../../../storage/postgres/contributions/index.js'
import { createDatabase } from '../../../../storage/postgres/index.js'
import { createTestDatabase } from '../../../support/index.js'
import { soon } from '../../../support/soon.js'

const { url } = await createTestDatabase()
// Two processes share nothing but the database.
const here = createDatabase({ url, poolSize: 10 })
const there = createDatabase({ url, poolSize: 10 })
const store = createContributionStore(here)
const otherStore = createContributionStore(there)
afterAll(() => Promise.all([here.close(), there.close()]))
beforeEach(() => here.sql`TRUNCATE contributions`)

const namesOf = () => namesOfYaml()

/** One version by itself. */
const append = async (to: ContributionStore, basis: string, next: NewContributionVersion) =>
  (await to.append(basis, [next]))?.[0]

const version = (name: string, source = 'text') => ({
  point: CHAINS,
  name,
  source,
  format: 'yaml' as const,
  content: { source },
  isDeleted: false,
  author: 'ann',
})

const newestMark = async (from: ContributionStore): Promise<string> =>
  (await from.changedSince(NO_MARK)).at(-1)?.mark ?? NO_MARK

/** What `deploy` does: decide on the newest state, and again when it has moved. */
const appendAnyhow = async (to: ContributionStore, name: string): Promise<string> => {
  for (;;) {
    const appended = await append(to, await newestMark(to), version(name))
    if (appended) return appended.mark
  }
}

describe('the store', () => {
  test('keeps every version and numbers them by name', async () => {
    const first = await append(store, NO_MARK, version('a', 'one'))
    const second = await append(store, first!.mark, version('a', 'two'))
    const third = await append(store, second!.mark, { ...version('b'), isDeleted: true })
    expect([first, second, third].map((row) => [row!.name, row!.version])).toEqual([
      ['a', 1],
      ['a', 2],
      ['b', 1],
    ])
    expect(await store.version(CHAINS, 'a', 1)).toEqual(first)
    expect(await store.newest(CHAINS, 'a')).toEqual(second)
    expect(await store.newest('other', 'a')).toBeUndefined()
    expect(await store.changedSince(NO_MARK)).toEqual([second, third])
    expect(await store.changedSince(second!.mark)).toEqual([third])
    expect(await store.changedSince(third!.mark)).toEqual([])
  })

  test('writes nothing on a basis that is no longer the newest', async () => {
    const first = await append(store, NO_MARK, version('a'))
    expect(await append(otherStore, NO_MARK, version('b'))).toBeUndefined()
    expect(await store.changedSince(NO_MARK)).toEqual([first])
  })

  test('numbers without gaps, and marks in order, under writers of two processes', async () => {
    const writers = [store, otherStore, store, otherStore]
    const marks = await Promise.all(
      writers.flatMap((writer) => Array.from({ length: 5 }, () => appendAnyhow(writer, 'a'))),
    )
    const rows = await here.sql<{ version: number }[]>`SELECT version FROM contributions ORDER BY created_at`
    expect(rows.map((row) => row.version)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(new Set(marks).size).toBe(20)
  })

  test('marks rise even when the clock was set back', async () => {
    const first = await append(store, NO_MARK, version('a'))
    await here.sql`UPDATE contributions SET created_at = now() + interval '1 hour'`
    const ahead = await newestMark(store)
    const second = await append(store, ahead, version('a'))
    expect(second!.mark > ahead && ahead > first!.mark).toBe(true)
    expect(await store.changedSince(ahead)).toEqual([second])
  })
})

const operation = defineOperation({
  id: 'Test.Nothing',
  label: 'Nothing',
  category: 'Test',
  description: '',
  params: {},
  methods: ({ method }) => [method('void', 'void', async () => ({ type: 'void' }))],
})

const process = async (from: ContributionStore) => {
  const defaults = [parseChain({ id: 'given', text: '[Test.Nothing]', format: 'yaml' }).chain]
  const errors: unknown[] = []
  const feed = await createContributionFeed({ store: from, onError: (error) => errors.push(error) })
  const registry = createChainRegistry({ operations: [operation], defaults, feed })
  const handlers = [createChainHandler(registry, { namesOf }) as PointHandler]
  const deployments = createContributionDeployments({ store: from, feed, handlers })
  return { registry, deployments, errors, close: feed.close }
}

const deployment = (name: string, text: string) => ({
  principal: SYSTEM,
  point: CHAINS,
  name,
  text,
  format: 'yaml' as const,
  precondition: {},
})

const codeOf = (error: unknown): string => (isArchivoltError(error) ? error.code : String(error))

describe('the registry', () => {
  test('has in every process what a deployment answered before, and follows by itself', async () => {
    const [a, b] = await Promise.all([process(store), process(otherStore)])
    for (let round = 1; round <= 20; round++) {
      await a.deployments.deploy(deployment('x', `description: round ${round}\noperations: [Test.Nothing]`))
      const found = (await b.registry.current()).get('x')
      expect(found.kind === 'chain' && found.chain.description).toBe(`round ${round}`)
      const own = a.registry.latest().get('x')
      expect(own.kind === 'chain' && own.chain.description).toBe(`round ${round}`)
    }
    await a.deployments.remove({ principal: SYSTEM, point: CHAINS, name: 'x', precondition: {} })
    await expect.poll(() => b.registry.latest().find('x')).toBeUndefined()
    expect([...a.errors, ...b.errors]).toEqual([])
    await Promise.all([a.close(), b.close()])
  })

  test('catches up after its connections were cut', async () => {
    const a = await process(store)
    const listeners = () => there.sql<{ pid: number }[]>`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND query ILIKE 'listen%'`
    // Those of earlier tests take a moment to go.
    const [listener] = await soon(async () => {
      const found = await listeners()
      expect(found).toHaveLength(1)
      return found
    })
    await there.sql`SELECT pg_terminate_backend(${listener!.pid})`
    await append(otherStore, NO_MARK, {
      ...version('late'),
      content: parseChain({ id: 'late', text: '[Test.Nothing]', format: 'yaml' }).chain,
    })
    await expect.poll(() => a.registry.latest().find('late')).toBeDefined()
    await a.close()
  })

  test('a deployed chain hides the one of the configuration, and gives way to it when deleted', async () => {
    const { registry, deployments, close } = await process(store)
    expect((await deployments.get(CHAINS, 'given')).version).toBe(0)
    await deployments.deploy(deployment('given', 'description: mine\noperations: []'))
    expect((await deployments.get(CHAINS, 'given')).version).toBe(1)
    expect(registry.latest().chains).toHaveLength(1)
    await deployments.remove({ principal: SYSTEM, point: CHAINS, name: 'given', precondition: {} })
    expect((await deployments.get(CHAINS, 'given')).version).toBe(0)
    await expect(
      deployments.remove({ principal: SYSTEM, point: CHAINS, name: 'given', precondition: {} }),
    ).rejects.toMatchObject({ code: 'conflict' })
    await close()
  })

  test('a chain of the configuration that names what does not exist stops the start', async () => {
    const defaults = [parseChain({ id: 'given', text: '[Test.Nothin]', format: 'yaml' }).chain]
    const feed = await createContributionFeed({ store, onError: () => undefined })
    expect(() => createChainRegistry({ operations: [operation], defaults, feed })).toThrow(
      'chains.given: operations[0]: unknown operation "Test.Nothin", did you mean "Test.Nothing"?',
    )
    await feed.close()
  })

  test('two processes cannot deploy a cycle, whichever comes first', async () => {
    const [a, b] = await Promise.all([process(store), process(otherStore)])
    await a.deployments.deploy(deployment('x', '[]'))
    await a.deployments.deploy(deployment('y', '[]'))
    for (let round = 0; round < 10; round++) {
      const outcomes = await Promise.allSettled([
        a.deployments.deploy(deployment('x', '- y')),
        b.deployments.deploy(deployment('y', '- x')),
      ])
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const refused = outcomes.find((outcome) => outcome.status === 'rejected')
      expect(codeOf(refused?.reason)).toBe('invalid')
      await a.deployments.deploy(deployment('x', '[]'))
      await b.deployments.deploy(deployment('y', '[]'))
    }
    await Promise.all([a.close(), b.close()])
  })

  test('of two deployments on the same version one wins', async () => {
    const [a, b] = await Promise.all([process(store), process(otherStore)])
    await a.deployments.deploy(deployment('x', '[]'))
    const again = { ...deployment('x', '- Test.Nothing'), precondition: { ifMatch: [1] } }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => (index % 2 ? a : b).deployments.deploy(again)),
    )
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [codeOf(outcome.reason)] : [],
    )
    expect(refused).toEqual(Array(7).fill('preconditionFailed'))
    expect((await a.deployments.get(CHAINS, 'x')).version).toBe(2)
    await Promise.all([a.close(), b.close()])
  })

  test('looks share one query, but none that began before', async () => {
    const { close } = await process(store)
    await sleep(0)
    let queries = 0
    const counting: ContributionStore = {
      ...store,
      changedSince: (mark) => {
        queries += 1
        return store.changedSince(mark)
      },
    }
    const counted = await process(counting)
    // The look that follows the start of listening may still be under way.
    await counted.registry.current()
    queries = 0
    await Promise.all(Array.from({ length: 50 }, () => counted.registry.current()))
    expect(queries).toBe(2)
    await Promise.all([close(), counted.close()])
  })
})
