import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sized } from '../support/size.js'
import { createFaultBench } from './fault-bench.js'

/** Documents below a folder, many times more than a call changes by itself. */
const DOCUMENTS = sized({ full: 200_000, sample: 30_000 })
const WAIT = { timeout: 600_000, interval: 250 }

const { call, rows, folder, killAlong, expectCalm } = await createFaultBench({
  // The API would do the first attempt itself, and no kill of the worker would hit it.
  env: { ARCHIVOLT_LARGE_SUBTREE: '1000', ARCHIVOLT_API_WORKER: 'false' },
})

type Entity = { uid: string; path: string; isTrashed?: boolean }

/** A folder with files whose names nothing else has. */
const large = async (name: string): Promise<string> => {
  const id = await folder('/', name)
  await rows(
    `INSERT INTO documents (id, parent_id, name, path, type, lifecycle_state, scope_id, properties)
     SELECT gen_random_uuid(), id, '${name}-' || n, path || '/${name}-' || n, 'File', 'project', scope_id, '{}'
     FROM documents, generate_series(1, ${DOCUMENTS}::int) n WHERE id = $1`,
    id,
  )
  return id
}

const foundBy = async (...names: string[]): Promise<Entity[]> => {
  const named = names.map((name) => `'${name}'`).join()
  const query = encodeURIComponent(`SELECT * FROM Document WHERE ecm:name IN (${named}) ORDER BY ecm:path`)
  const response = await call('GET', `/api/v1/search/execute?query=${query}`)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return (JSON.parse(text) as { entries: Entity[] }).entries
}

const countOf = async (condition: string): Promise<number> => {
  const [found] = await rows<{ count: number }>(
    `SELECT count(*)::int AS count FROM documents WHERE ${condition}`,
  )
  return found?.count ?? -1
}

/** Connections in which a large change is open: what others know it by (`refuseWaiting`). */
const openIn = async (): Promise<number[]> => {
  const found = await rows<{ pid: number }>(
    `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 1096174659`,
  )
  return found.map(({ pid }) => pid)
}

/** Starts a large change without waiting for it. Answers what asks for the status of its run. */
const begin = async (operation: string, id: string, params: object = {}): Promise<() => Promise<string>> => {
  const answer = await call('POST', `/api/v1/automation/${operation}`, {
    body: { input: `doc:${id}`, params },
    headers: { Prefer: 'wait=0' },
  })
  expect(answer.status, await answer.clone().text()).toBe(202)
  const runId = answer.headers.get('archivolt-workflow-id')
  return async () => {
    const response = await call('GET', `/api/v1/automation/runs/${runId}`)
    return ((await response.json()) as { status: string }).status
  }
}

/** Reads again and again. Answers what ends that, and fails when a read has. */
const readAlong = (read: () => Promise<void>): (() => Promise<void>) => {
  let isOver = false
  let reads = 0
  const reading = (async () => {
    while (!isOver) {
      await read()
      reads++
      await sleep(20)
    }
  })()
  // Whoever ends it hears of its failure.
  reading.catch(() => undefined)
  return async () => {
    isOver = true
    await reading
    expect(reads).toBeGreaterThan(3)
  }
}

/** How long a statement takes at least that changes documents: on a fast machine, too, kills hit its transaction. */
const pauseAfterStatements = async (seconds: number): Promise<void> => {
  await rows(`CREATE OR REPLACE FUNCTION public.pause() RETURNS trigger LANGUAGE plpgsql AS
              'BEGIN PERFORM pg_sleep(${seconds}); RETURN NULL; END'`)
  // It waits for open changes, which the end of a pause shall not.
  if (seconds === 0) return
  await rows(`CREATE OR REPLACE TRIGGER pause AFTER INSERT OR UPDATE OR DELETE ON documents
              FOR EACH STATEMENT EXECUTE FUNCTION public.pause()`)
}

/**
 * Kills the worker and Postgres, each in the middle of an attempt of its own, then ends the pauses.
 *
 * @param isSeen whether something of the change is there: no attempt that was killed has left anything.
 */
const killInside = async (isSeen: () => Promise<boolean>): Promise<void> => {
  // The server goes on for a while with what nobody waits for any more.
  const met = new Set<number>()
  const progress = async () => {
    const opened = (await openIn()).filter((pid) => !met.has(pid))
    for (const pid of opened) met.add(pid)
    return opened.length > 0 || (await isSeen()) ? 1 : 0
  }
  for (const victim of ['worker', 'postgres'] as const) {
    expect(await killAlong([{ victim, progress: 1, delayMs: 300 }], progress)).toBe(1)
    expect(await isSeen()).toBe(false)
  }
  await pauseAfterStatements(0)
}

const eventsOf = (event: string, id: string | undefined) =>
  rows(`SELECT id FROM outbox WHERE event = $1 AND document_id = $2`, event, id ?? '')

test.each<[operation: string, params: object, event: string, placeOf: (name: string) => RegExp]>([
  ['Document.Move', { target: '/moved' }, 'documentMoved', (name) => new RegExp(`^/moved/${name}/`)],
  ['Document.Trash', {}, 'documentTrashed', (name) => new RegExp(`^/${name}\\._\\d+_\\.trashed/`)],
])(
  `%s of ${DOCUMENTS} documents is done once, whatever is killed, and never seen by halves`,
  { timeout: 2 * WAIT.timeout },
  async (operation, params, event, placeOf) => {
    const name = event.toLowerCase()
    if (operation === 'Document.Move') await folder('/', 'moved')
    const id = await large(name)
    const before = new RegExp(`^/${name}/`)
    const [file] = await foundBy(`${name}-7`)
    expect(file?.path).toMatch(before)

    await pauseAfterStatements(3)
    const statusOf = await begin(operation, id, params)
    const endReading = readAlong(async () => {
      const found = await foundBy(`${name}-7`)
      expect(found.map(({ uid }) => uid)).toEqual([file?.uid])
      const path = found[0]?.path ?? ''
      expect([before.test(path), placeOf(name).test(path)].filter(Boolean)).toHaveLength(1)
    })
    await killInside(async () => (await countOf(`path LIKE '/${name}/%'`)) < DOCUMENTS)
    await expect.poll(statusOf, WAIT).toBe('COMPLETED')
    await endReading()

    expect(await countOf(`path LIKE '/${name}/%'`)).toBe(0)
    expect(await countOf(`path ~ '${placeOf(name).source}'`)).toBe(DOCUMENTS)
    expect(await eventsOf(event, id)).toHaveLength(1)
    await expectCalm()
  },
)

/** The first and the last by path of the files of a folder, which are removed last and first. */
const endsOf = (name: string): [first: string, last: string] => [
  `${name}-1`,
  `${name}-${'9'.repeat(String(DOCUMENTS).length - 1)}`,
]

test(`Document.Copy of ${DOCUMENTS} documents is made once, whatever is killed, and never seen by halves`, {
  timeout: 2 * WAIT.timeout,
}, async () => {
  await folder('/', 'copies')
  const id = await large('original')
  const ends = endsOf('original')
  const paths = ends.map((name) => `/original/${name}`)
  const copies = ends.map((name) => `/copies/original/${name}`)
  await pauseAfterStatements(3)
  const statusOf = await begin('Document.Copy', id, { target: '/copies' })
  const endReading = readAlong(async () => {
    const found = (await foundBy(...ends)).map(({ path }) => path)
    expect([paths, [...copies, ...paths]]).toContainEqual(found)
  })
  await killInside(async () => (await countOf(`path LIKE '/copies/%'`)) > 0)
  await expect.poll(statusOf, WAIT).toBe('COMPLETED')
  await endReading()

  expect(await countOf(`path LIKE '/original/%'`)).toBe(DOCUMENTS)
  expect(await countOf(`path LIKE '/copies/original/%'`)).toBe(DOCUMENTS)
  expect(await countOf(`path LIKE '/copies/%'`)).toBe(DOCUMENTS + 1)
  const [copy] = await rows<{ id: string }>(`SELECT id FROM documents WHERE path = '/copies/original'`)
  expect(await eventsOf('documentCreatedByCopy', copy?.id)).toHaveLength(1)
  await expectCalm()
})

test(`Document.Delete of ${DOCUMENTS} documents goes on where it was killed, and leaves a tree at any moment`, {
  timeout: 2 * WAIT.timeout,
}, async () => {
  const id = await large('removed')
  const [first, last] = endsOf('removed')
  await pauseAfterStatements(1)
  const statusOf = await begin('Document.Delete', id)
  let known = 3
  const endReading = readAlong(async () => {
    const found = (await foundBy('removed', first, last)).map(({ path }) => path)
    expect(found).toEqual(['/removed', `/removed/${first}`, `/removed/${last}`].slice(0, found.length))
    // What has been removed does not come back.
    expect(found.length).toBeLessThanOrEqual(known)
    known = found.length
  })
  let left = DOCUMENTS
  const progress = async () => ((await countOf(`path LIKE '/removed/%'`)) < left ? 1 : 0)
  for (const victim of ['worker', 'postgres'] as const) {
    // Within the page that follows the first one that is done.
    expect(await killAlong([{ victim, progress: 1, delayMs: 300 }], progress)).toBe(1)
    const now = await countOf(`path LIKE '/removed/%'`)
    expect(now).toBeGreaterThan(0)
    expect(now).toBeLessThan(left)
    left = now
  }
  await pauseAfterStatements(0)
  await expect.poll(statusOf, WAIT).toBe('COMPLETED')
  await endReading()

  expect(await countOf(`path = '/removed' OR path LIKE '/removed/%'`)).toBe(0)
  expect(await eventsOf('documentRemoved', id)).toHaveLength(1)
  await expectCalm()
})
