import postgres from 'postgres'
import { afterAll, expect, test } from 'vitest'
import { createEngine } from '../../api/engine.js'
import { finalFailure, type Value } from '../../core/automation/language/index.js'
import { operations } from '../../core/automation/operations/index.js'
import { isArchivoltError } from '../../core/platform/errors/index.js'
import { ADMINISTRATOR, ANN, createOperationBench } from '../integration/support/operations-support.js'
import { createClient } from '../integration/support/rest-client.js'
import { seededRandom, testSeed } from '../support/random.js'
import { randomChains } from '../support/random-chains.js'
import { sized } from '../support/size.js'

const SEED = testSeed()
const CHAINS = sized({ full: 8_000, sample: 1_000 })
const OVER_HTTP = CHAINS / 40
const AT_ONCE = 4

const bench = await createOperationBench({ TEMPORAL_ADDRESS: '127.0.0.1:1' })
const engine = await createEngine(bench.platform)
afterAll(async () => {
  await engine.close()
  await bench.close()
})

const secret = await bench.create('/', 'Folder', 'secret', { 'dc:title': 'Nobody sees this' })
await bench.run('Document.AddACE', {
  input: { type: 'document', id: secret.id },
  params: { user: 'Everyone', permission: 'Everything', grant: false },
})
const hidden = await bench.create('/secret', 'File', 'hidden', { 'dc:title': 'Nobody sees this' })
const folder = await bench.create('/', 'Folder', 'fuzz')
await bench.run('Document.AddACE', {
  input: { type: 'document', id: folder.id },
  params: { user: 'ann', permission: 'Everything', grant: true },
})
const note = await bench.create('/fuzz', 'Note', 'note', { 'dc:title': 'A note', 'dc:subjects': ['art'] })

/** As it is answered: what the database takes for no value of its own is the caller's too. */
const isCallersOwn = (error: unknown): boolean => {
  const failure = isArchivoltError(error) ? error : finalFailure(error)
  return failure !== undefined && (failure.status < 500 || failure.code === 'operationFailed')
}

const reported = (value: Value): string => JSON.stringify(value)

const openTransactions = async (): Promise<readonly unknown[]> => {
  const sql = postgres(bench.platform.settings.databaseUrl, { max: 1 })
  try {
    return await sql`
      select state, query from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and state <> 'active'`
  } finally {
    await sql.end()
  }
}

const source = randomChains({ random: seededRandom(SEED), operations, documents: [folder, note, hidden] })

test(`${CHAINS} random chains of seed ${SEED} end in a value or in their own error`, async () => {
  const strange: string[] = []
  const leaks: string[] = []
  let values = 0
  const one = async (): Promise<void> => {
    const { steps, others, input } = source.chain()
    const shown = (): string => JSON.stringify({ steps, others, input })
    try {
      const value = await bench.chain(steps, { as: ANN, input }, others)
      values++
      if (reported(value).includes('Nobody sees this')) leaks.push(shown())
    } catch (error) {
      if (!isCallersOwn(error)) strange.push(`${error instanceof Error ? error.stack : error} <= ${shown()}`)
      else if (String(error).includes('Nobody sees this')) leaks.push(shown())
    }
  }
  let left = CHAINS
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await one()
    }),
  )
  expect(strange.slice(0, 5)).toEqual([])
  expect(leaks.slice(0, 5)).toEqual([])
  expect(values).toBeGreaterThan(CHAINS / 20)
  await expect.poll(openTransactions).toEqual([])
  const after = await bench.read(hidden.id)
  expect([after.systemToken, after.path]).toEqual([hidden.systemToken, '/secret/hidden'])
  const untouched = await bench.run('Document.GetChildren', {
    input: { type: 'document', id: secret.id },
    as: ADMINISTRATOR,
  })
  expect(untouched).toMatchObject({ ids: [hidden.id] })
})

test(`${OVER_HTTP} random chains of seed ${SEED} over HTTP are answered`, async () => {
  const call = createClient(bench.platform, engine)
  const unexpected: unknown[] = []
  for (let count = 0; count < OVER_HTTP; count++) {
    const { steps } = source.chain()
    const definition = {
      execution: 'inline',
      operations: steps.map(({ operation, params }) => ({ [operation]: params })),
    }
    const deployed = await call('PUT', '/api/v1/contributions/chains/fuzz', { json: definition })
    if (deployed.status >= 500) unexpected.push([deployed.status, definition])
    if (deployed.status >= 300) continue
    const answer = await call('POST', '/api/v1/automation/fuzz', {
      json: { input: `doc:${note.id}`, params: {} },
    })
    if (answer.status >= 500) unexpected.push([answer.status, answer.text, definition])
  }
  expect(unexpected.slice(0, 3)).toEqual([])
  await expect.poll(openTransactions).toEqual([])
})
