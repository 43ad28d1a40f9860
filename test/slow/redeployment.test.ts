import postgres from 'postgres'
import { afterAll, expect, test } from 'vitest'
import { seededRandom, testSeed } from '../support/random.js'
import { sized } from '../support/size.js'
import { openOwnServers } from './own-servers.js'

const RUNS = sized({ full: 1_000, sample: 300 })
/** As many at least, while runs are started. */
const DEPLOYMENTS = sized({ full: 50, sample: 15 })
const CALLERS = 16
/** Calls between two deployments. */
const CALLS_EACH = 8

/** A failing run is repeated by `ARCHIVOLT_TEST_SEED=… npm run test:slow`. */
const seed = testSeed()
process.stdout.write(`redeployment test: ARCHIVOLT_TEST_SEED=${seed}\n`)
const random = seededRandom(seed)

const { call, databaseUrl, startApi, startWorker } = await openOwnServers()
await startApi()
await startWorker()
const sql = postgres(databaseUrl, { max: 1 })
afterAll(() => sql.end())

const append = (mark: string): string => `
- Document.SetProperty:
    xpath: dc:rights
    value: 'expr:@{Document["dc:rights"] == null ? "" : Document["dc:rights"]}${mark} '
`
const PART = '- RunInNewTransaction: {id: versioned-part}\n'
const LOOP = `- Context.SetInputAsVar: {name: mine}
- Context.RunOperationOnListInNewTx: {id: versioned-item, list: numbers, item: number}
`

/** Parts that a version of a chain has more than another, so that its steps stand elsewhere, too. */
const moreParts = (version: number): number => version % 3

const main = (loop: string) => (version: number) =>
  `
params:
- key: {type: string, required: true}
operations:
- Repository.GetDocument: {value: /runs}
- Document.Create:
    type: File
    name: 'expr:@{ChainParameters["key"]}'
${append(`m${version}`)}${PART.repeat(1 + moreParts(version))}${loop}${append(`m${version}`)}${PART}
- Document.SetProperty: {xpath: 'dc:source', value: ended}
`

/** Each version writes its own mark. */
const CHAINS: { readonly [id: string]: (version: number) => string } = {
  versioned: main(''),
  'versioned-loop': main(LOOP),
  'versioned-part': (version) => append(`p${version}`),
  'versioned-item': (version) => `\n- Context.RestoreDocumentInput: {name: mine}\n${append(`i${version}`)}`,
}

/** The marks that each chain has had, in order; undefined while it is deleted. */
const deployed: { [id: string]: (number | undefined)[] } = {}
/** How many of them have been answered for. */
const settled: { [id: string]: number } = {}

const place = (id: string): string => `contributions/chains/${id}`

const put = async (id: string, mark: number, yaml: string): Promise<void> => {
  deployed[id] = [...(deployed[id] ?? []), mark]
  const headers = { 'Content-Type': 'application/yaml' }
  // Made anew, or changed.
  const expected = deployed[id]?.at(-2) === undefined ? 201 : 200
  await call(place(id), { method: 'PUT', body: yaml, headers, expected })
  settled[id] = deployed[id]?.length ?? 0
}

const redeploy = (id: string, mark: number): Promise<void> => put(id, mark, CHAINS[id]?.(mark) ?? '')

/** Deploys the text of an earlier version again. */
const downgrade = async (id: string): Promise<void> => {
  const { entries } = (await (await call(`${place(id)}?versions=true`, { expected: 200 })).json()) as {
    entries: { version: number; deleted?: boolean }[]
  }
  const kept = entries.filter(({ deleted }) => !deleted)
  const { version } = kept[Math.floor(random() * kept.length)] ?? {}
  const earlier = await call(`${place(id)}?version=${version}`, {
    headers: { Accept: 'application/yaml' },
    expected: 200,
  })
  const text = await earlier.text()
  await put(id, Number(/[mpi](\d+) /.exec(text)?.[1]), text)
}

const remove = async (id: string): Promise<void> => {
  deployed[id] = [...(deployed[id] ?? []), undefined]
  await call(place(id), { method: 'DELETE', expected: 204 })
  settled[id] = deployed[id]?.length ?? 0
}

let marks = 0

/** What an administrator may do to a chain that is called all the time. */
const change = async (): Promise<void> => {
  const ids = Object.keys(CHAINS)
  const id = ids[Math.floor(random() * ids.length)] ?? ''
  const kind = random()
  if (deployed[id]?.at(-1) === undefined || kind < 0.5) return redeploy(id, ++marks)
  // What others call may not be deleted from under them.
  if (kind < 0.75 && CHAINS[id]?.(0).includes('params')) return remove(id)
  return downgrade(id)
}

type Accepted = { key: string; chain: string; possible: readonly (number | undefined)[] }

/** Calls a chain without waiting; nothing when it is deleted. */
const start = async (key: string): Promise<Accepted | undefined> => {
  const chain = random() < 0.2 ? 'versioned-loop' : 'versioned'
  const from = (settled[chain] ?? 1) - 1
  const body = JSON.stringify({ params: { key }, context: { numbers: [1, 2, 3] } })
  const request = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }
  const status = await call(`automation/${chain}/@async`, { ...request, expected: 202 }).then(
    () => 202,
    (error: Error) => {
      if (/: 404 /.test(error.message)) return 404
      throw error
    },
  )
  const possible = deployed[chain]?.slice(from) ?? []
  if (status === 202) return { key, chain, possible }
  expect(possible, `${chain} was not deleted, and not found`).toContain(undefined)
  return undefined
}

test('runs finish on the definitions that they began with, whatever is deployed meanwhile', async () => {
  await call('path/', {
    method: 'POST',
    body: JSON.stringify({ 'entity-type': 'document', type: 'Folder', name: 'runs' }),
    headers: { 'Content-Type': 'application/json' },
    expected: 201,
  })
  for (const id of Object.keys(CHAINS).reverse()) await redeploy(id, ++marks)

  const accepted: Accepted[] = []
  const unfinished: number[] = []
  const endedCount = async (): Promise<number> => {
    const [row] = await sql<{ count: number }[]>`
      SELECT count(*)::int FROM documents WHERE path LIKE '/runs/%' AND properties ->> 'dc:source' = 'ended'`
    return row?.count ?? 0
  }
  let calls = 0
  /** A machine may be quicker with calls than with deployments. */
  const goesOn = (): boolean => accepted.length < RUNS || unfinished.length < DEPLOYMENTS
  const caller = async (): Promise<void> => {
    while (goesOn()) {
      const run = await start(`run-${calls++}`)
      if (run) accepted.push(run)
    }
  }
  const administrator = async (): Promise<void> => {
    for (let next = CALLS_EACH; goesOn(); next += CALLS_EACH) {
      await expect.poll(() => calls >= next || !goesOn(), { interval: 2 }).toBe(true)
      await change()
      unfinished.push(accepted.length - (await endedCount()))
    }
  }
  await Promise.all([administrator(), ...Array.from({ length: CALLERS }, caller)])
  // Deployments did meet runs under way.
  expect(Math.max(...unfinished)).toBeGreaterThan(5)

  await expect.poll(endedCount, { timeout: 600_000, interval: 500 }).toBe(accepted.length)
  const documents = await sql<{ name: string; marks: string }[]>`
    SELECT name, properties ->> 'dc:rights' AS marks FROM documents WHERE path LIKE '/runs/%'`
  const written = new Map(documents.map(({ name, marks: text }) => [name, text.trim().split(' ')]))
  expect(written.size).toBe(accepted.length)
  for (const { key, chain, possible } of accepted) {
    const [first = '', part = ''] = written.get(key) ?? []
    const item = written.get(key)?.find((mark) => mark.startsWith('i'))
    const version = Number(first.slice(1))
    const parts = Array<string>(1 + moreParts(version)).fill(part)
    const items = chain === 'versioned-loop' ? [item, item, item] : []
    expect(written.get(key), key).toEqual([first, ...parts, ...items, first, part])
    expect(possible, key).toContain(version)
  }
})
