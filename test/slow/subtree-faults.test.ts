import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sized } from '../support/size.js'
import { createFaultBench } from './fault-bench.js'

/** Documents below a folder, many times more than a call changes by itself. */
const DOCUMENTS = sized({ full: 200_000, sample: 30_000 })
const WAIT = { timeout: 600_000, interval: 250 }

const { call, rows, folder, killAlong, expectCalm } = await createFaultBench({
  env: { ARCHIVOLT_LARGE_SUBTREE: '1000' },
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

const foundBy = async (name: string): Promise<Entity[]> => {
  const query = encodeURIComponent(`SELECT * FROM Document WHERE ecm:name = '${name}'`)
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

/** Whether a large change is open: what others know it by (`refuseWaiting`). */
const isOpen = async (): Promise<boolean> => {
  const [found] = await rows<{ open: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = 1096174659) AS open`,
  )
  return found?.open ?? false
}

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

    const answer = await call('POST', `/api/v1/automation/${operation}`, {
      body: { input: `doc:${id}`, params },
      headers: { Prefer: 'wait=0' },
    })
    expect(answer.status, await answer.clone().text()).toBe(202)
    const runId = answer.headers.get('archivolt-workflow-id')
    const statusOf = async (): Promise<string> => {
      const response = await call('GET', `/api/v1/automation/runs/${runId}`)
      return ((await response.json()) as { status: string }).status
    }

    let isOver = false
    let reads = 0
    const reading = (async () => {
      while (!isOver) {
        const found = await foundBy(`${name}-7`)
        expect(found.map(({ uid }) => uid)).toEqual([file?.uid])
        const path = found[0]?.path ?? ''
        expect([before.test(path), placeOf(name).test(path)].filter(Boolean)).toHaveLength(1)
        reads++
        await sleep(20)
      }
    })()
    // In the middle of its transaction: of the first attempt, and again.
    const progress = async () => ((await isOpen()) || (await countOf(`path LIKE '/${name}/%'`)) === 0 ? 1 : 0)
    const killed = await killAlong(
      [
        { victim: 'worker', progress: 1, delayMs: 200 },
        { victim: 'postgres', progress: 1, delayMs: 400 },
      ],
      progress,
    )
    expect(killed).toBe(2)
    await expect.poll(statusOf, WAIT).toBe('COMPLETED')
    isOver = true
    await reading
    expect(reads).toBeGreaterThan(3)

    expect(await countOf(`path LIKE '/${name}/%'`)).toBe(0)
    expect(await countOf(`path ~ '${placeOf(name).source}'`)).toBe(DOCUMENTS)
    const reported = await rows(`SELECT id FROM outbox WHERE event = $1 AND document_id = $2`, event, id)
    expect(reported).toHaveLength(1)
    await expectCalm()
  },
)
