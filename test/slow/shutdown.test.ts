import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRunning, type Server, workingFolder } from '../../stack/process/index.js'
import { AUTHORIZATION, openOwnServers } from './own-servers.js'

/** What SIGTERM does to work that is under way: it is finished, here or by whoever goes on. */

const run = promisify(execFile)
const servers = await openOwnServers()
const sql = postgres(servers.databaseUrl, { max: 1, onnotice: () => undefined })
afterAll(() => sql.end())

type Child = { pid: number; command: string }

/** Programs that converters run: processes that work below our folder. */
const programs = (): Child[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && workingFolder(Number(name))?.startsWith(`${servers.folder}/tmp/`))
    .flatMap((name) => {
      try {
        return { pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'latin1') }
      } catch {
        // It has ended since it was listed.
        return []
      }
    })

const program = async (name: string): Promise<Child> => {
  const isIt = ({ command }: Child): boolean => command.split('\0')[0]?.endsWith(name) ?? false
  await expect.poll(() => programs().some(isIt), { interval: 5 }).toBe(true)
  return programs().find(isIt)!
}

const openTransactions = async (): Promise<unknown[]> => [
  ...(await sql`
    SELECT state, left(query, 100) AS query FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend'
      AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`),
]

/** Sends SIGTERM. Answers how it ended, and after how many milliseconds. */
const terminate = async (server: Server): Promise<{ exit: unknown; elapsedMs: number }> => {
  const begin = Date.now()
  process.kill(server.pid, 'SIGTERM')
  const exit = await server.exited
  return { exit, elapsedMs: Date.now() - begin }
}

const send = async (
  path: string,
  { body, expected }: { body: unknown; expected: number },
): Promise<Response> =>
  servers.call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    expected,
  })

const create = (parent: string, type: string, name: string): Promise<Response> =>
  send(`path${parent}`, { body: { 'entity-type': 'document', type, name }, expected: 201 })

const upload = async (name: string, type: string, content: Buffer): Promise<void> => {
  await create('/', 'File', name)
  const body = new FormData()
  body.set('content', new Blob([new Uint8Array(content)], { type }), name)
  await servers.call(`path/${name}/@blob/file:content`, { method: 'PUT', body, expected: 200 })
}

const deploy = async (id: string, yaml: string): Promise<void> => {
  const headers = { 'content-type': 'application/yaml' }
  await servers.call(`contributions/chains/${id}`, { method: 'PUT', headers, body: yaml, expected: 201 })
}

let api: Server
let worker: Server
beforeAll(async () => {
  api = await servers.startApi()
  worker = await servers.startWorker()
})

describe('an API process that is asked to end', () => {
  const LARGE = Buffer.alloc(64 * 1024 * 1024, 'archivolt ')

  beforeAll(async () => {
    await upload('letter.txt', 'text/plain', Buffer.from('Dear Ann,\nall is well.\n'))
    await upload('large.bin', 'application/octet-stream', LARGE)
    await deploy('letter-as-pdf', '- Document.GetBlob\n- Blob.ToPDF\n')
  })

  const download = async (): Promise<IncomingMessage> => {
    const headers = { authorization: AUTHORIZATION }
    const [response] = await once(
      get(`${servers.apiUrl}/api/v1/path/large.bin/@blob/file:content`, { headers }),
      'response',
    )
    return response
  }

  test('answers what it has begun, takes nothing new, and leaves nothing open', async () => {
    const downloading = await download()
    let isAnswered = false
    const converting = send('automation/letter-as-pdf', {
      body: { input: 'doc:/letter.txt', params: {}, context: {} },
      expected: 200,
    }).finally(() => {
      isAnswered = true
    })
    await program('soffice.bin')
    expect(isAnswered).toBe(false)
    const ending = terminate(api)
    const isRefused = () =>
      fetch(`${servers.apiUrl}/health/live`, { headers: { connection: 'close' } }).then(
        () => false,
        ({ cause }) => cause.code === 'ECONNREFUSED',
      )
    await expect.poll(isRefused, { interval: 20 }).toBe(true)
    const isUnderWay = isRunning(api)

    const [pdf, bytes] = await Promise.all([
      converting.then(async (response) => Buffer.from(await response.arrayBuffer())),
      buffer(downloading),
    ])
    const answered = Date.now()
    expect(isUnderWay).toBe(true)
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    expect(bytes.equals(LARGE)).toBe(true)
    expect((await ending).exit).toEqual({ code: 0, signal: null })
    // Its callers may keep their connections: it does not wait for those.
    expect(Date.now() - answered).toBeLessThan(10_000)
    // The worker runs on, with short transactions of its own: none stays open.
    await expect.poll(openTransactions, { timeout: 10_000 }).toEqual([])
    api = await servers.startApi()
  })
})

describe('a worker that is asked to end', () => {
  const ITEMS = 300
  /** Seconds that the database takes for each item, so that all of them outlast the time for shutting down. */
  const ITEM_SECONDS = 0.3
  /** The worker's `shutdownForceTime`, and some for a busy machine. */
  const GRACE_MS = 60_000

  const makeVideo = async (): Promise<Buffer> => {
    const file = join(servers.folder, 'walk.mp4')
    await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=duration=4:size=640x360', file])
    return readFile(file)
  }

  beforeAll(async () => {
    await upload('walk.mp4', 'video/mp4', await makeVideo())
    await create('/', 'Folder', 'items')
    for (let index = 0; index < ITEMS; index++) await create('/items', 'Folder', `item-${index}`)
    await deploy(
      'count-each',
      `
- Context.RestoreDocumentInput:
    name: item
- Document.SetProperty:
    xpath: common:size
    value: 'expr:(Document["common:size"] || 0) + 1'
`,
    )
    await deploy(
      'count-items',
      `
- Repository.Query:
    query: SELECT * FROM Folder WHERE ecm:path STARTSWITH '/items' AND ecm:name LIKE 'item-%' ORDER BY ecm:name
- Context.SetInputAsVar:
    name: found
- Context.RunOperationOnListInNewTx:
    id: count-each
    list: found
    item: item
`,
    )
  })

  const counted = async (): Promise<{ [times: string]: number }> => {
    const found = await sql<{ times: string; items: number }[]>`
      SELECT coalesce(properties ->> 'common:size', '0') AS times, count(*)::int AS items FROM documents
      WHERE path LIKE '/items/%' GROUP BY 1`
    return Object.fromEntries(found.map(({ times, items }) => [times, items]))
  }

  const slowDown = async (): Promise<void> => {
    await sql.unsafe(`
      CREATE FUNCTION take_time() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN PERFORM pg_sleep(${ITEM_SECONDS}); RETURN NEW; END $$;
      CREATE TRIGGER take_time BEFORE UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION take_time()`)
  }

  const statusOf = (address: string): Promise<number> =>
    fetch(address, { redirect: 'manual', headers: { authorization: AUTHORIZATION } }).then(
      ({ status }) => status,
    )

  test('ends in its time; the next one does the rest, each item once, and no program is left', async () => {
    await slowDown()
    const loop = await send('automation/count-items/@async', {
      body: { params: {}, context: {} },
      expected: 202,
    })
    const conversion = await servers.call('path/walk.mp4/@convert?format=webm&async=true', {
      method: 'POST',
      expected: 202,
    })
    const { pollingURL } = (await conversion.json()) as { pollingURL: string }
    // Held up, so that it outlasts the time for shutting down as well.
    process.kill((await program('ffmpeg')).pid, 'SIGSTOP')
    await expect.poll(async () => (await counted())['1'] ?? 0).toBeGreaterThan(20)

    const { exit, elapsedMs } = await terminate(worker)
    expect(exit).toEqual({ code: 0, signal: null })
    expect(elapsedMs).toBeLessThan(GRACE_MS)
    expect(programs()).toEqual([])
    expect(await openTransactions()).toEqual([])
    const before = await counted()
    expect(before['1']).toBeLessThan(ITEMS)
    expect(await statusOf(pollingURL)).toBe(200)

    await sql`DROP TRIGGER take_time ON documents`
    // Long enough for what a worker had left running to show itself.
    await sleep(1_000)
    expect(await counted()).toEqual(before)
    worker = await servers.startWorker()
    const address = loop.headers.get('location') ?? ''
    await expect.poll(() => statusOf(address), { timeout: 300_000, interval: 200 }).toBe(303)
    expect(await counted()).toEqual({ '1': ITEMS })
    await expect.poll(() => statusOf(pollingURL), { timeout: 300_000, interval: 200 }).toBe(303)
    const result = await fetch(pollingURL.replace(/poll$/, 'result'), {
      headers: { authorization: AUTHORIZATION },
    })
    expect(result.status).toBe(200)
    expect(result.headers.get('content-type')).toBe('video/webm')
    expect((await result.arrayBuffer()).byteLength).toBeGreaterThan(1_000)

    expect((await terminate(worker)).exit).toEqual({ code: 0, signal: null })
    expect(programs()).toEqual([])
  })
})
