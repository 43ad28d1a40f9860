import { setTimeout as pause } from 'node:timers/promises'
import {
  AUTHORIZATION,
  call,
  contribute,
  createDocument,
  deployChain,
  json,
  LEARN_MS,
  NUMBERED_FILE,
} from '../harness/client.js'
import { generate } from '../harness/generate.js'
import { writePaced } from '../harness/paced.js'
import { alternate, median, quantile } from '../harness/rounds.js'
import type { Measure } from '../harness/types.js'

const WRITERS = 8

type ListedRuns = { entries: { documentId?: string; startedAt: string }[]; nextCursor?: string }

/** Milliseconds from the commits of documents to the starts of what listens to them. */
const delaysOf = async (apiUrl: string, created: ReadonlyMap<string, number>): Promise<number[]> => {
  const delays = new Map<string, number>()
  const page = async (cursor: string | undefined): Promise<string | undefined> => {
    const query = new URLSearchParams({
      event: 'documentCreated',
      pageSize: '100',
      ...(cursor && { cursor }),
    })
    const found = json<ListedRuns>(await call('GET', `${apiUrl}/api/v1/automation/runs?${query}`))
    for (const { documentId, startedAt } of found.entries) {
      const at = created.get(documentId ?? '')
      if (at !== undefined) delays.set(documentId ?? '', new Date(startedAt).getTime() - at)
    }
    return found.nextCursor
  }
  while (delays.size < created.size) {
    await pause(500)
    for (let cursor = await page(undefined); cursor && delays.size < created.size; )
      cursor = await page(cursor)
  }
  console.error(
    [...created.keys()]
      .map((id) => delays.get(id))
      .filter((_, i) => i % 20 === 0)
      .join(' '),
  )
  return [...delays.values()]
}

/** How late a listener after the commit starts, and what writing costs beside it. */
export const measureListeners: Measure = async ({ servers, isQuick }) => {
  const { apiUrl } = servers
  const parent = await createDocument(apiUrl, { parent: '/', type: 'Folder', name: 'bench-heard' })
  const address = `${apiUrl}/api/v1/id/${parent}`
  const seconds = isQuick ? 3 : 10
  await deployChain(apiUrl, 'bench-heard', 'operations:\n- Context.SetVar: { name: heard, value: yes }\n')
  const listen = async (enabled: boolean): Promise<void> => {
    const listener = { events: ['documentCreated'], chain: 'bench-heard', async: true, enabled }
    await contribute(
      apiUrl,
      'listeners/bench',
      JSON.stringify({ ...listener, postCommit: true, pathStartsWith: '/bench-heard' }),
    )
    await pause(LEARN_MS)
  }

  const rates: number[] = []
  const delays: number[] = []
  const paced = (isHeard: boolean) => async (): Promise<number> => {
    await listen(isHeard)
    const { created, rate, took } = await writePaced(address, { seconds, name: `paced-${rates.length}` })
    rates.push(rate)
    if (isHeard) delays.push(...(await delaysOf(apiUrl, created)))
    return took
  }
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
  const writing = (isHeard: boolean) => async (): Promise<number> => {
    await listen(isHeard)
    const load = { method: 'POST', urls: [address], callers: WRITERS, seconds, headers }
    return generate({ ...load, body: NUMBERED_FILE })
  }
  const rounds = isQuick ? 1 : 3
  const times = await alternate(rounds, { ours: paced(true), floor: paced(false) })
  const most = await alternate(rounds, { ours: writing(true), floor: writing(false) })
  await listen(false)
  const rate = median(rates).toFixed(0)
  return [
    {
      name: `start of a listener, p95, at ${rate} writes a second`,
      unit: 'ms',
      ours: quantile(delays, 0.95),
      goal: { most: 1_000 },
    },
    { name: `write with a listener, at ${rate} a second`, unit: 'ms', ...times, goal: { most: 1.05 } },
    { name: `writes with a listener, ${WRITERS} callers`, unit: '1/s', ...most, goal: { least: 0.95 } },
  ]
}
