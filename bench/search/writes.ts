import { setTimeout as pause } from 'node:timers/promises'
import { readBacklog } from '../../storage/postgres/index.js'
import { AUTHORIZATION, call, createDocument, LEARN_MS, NUMBERED_FILE } from '../harness/client.js'
import { generate } from '../harness/generate.js'
import { alternate, median, quantile } from '../harness/rounds.js'
import type { Figure } from '../harness/types.js'
import { treeProcessorMs } from '../harness/usage.js'
import type { Searched } from './open.js'
import { serverTime } from './processor-time.js'

const CALLERS = 8
const WRITES_A_SECOND = 200
const SAMPLE_MS = 50

/** How far the index lags behind so many writes a second, and what writing costs beside it. */
export const measureWrites = async (
  { platform }: Searched,
  { apiUrl, isQuick }: { apiUrl: string; isQuick: boolean },
): Promise<Figure[]> => {
  const parent = await createDocument(apiUrl, { parent: '/', type: 'Folder', name: 'bench-writes' })
  const address = `${apiUrl}/api/v1/id/${parent}`
  const seconds = isQuick ? 2 : 10

  const lagAtRate = async (): Promise<{ lag: number; rate: number }> => {
    const lags: number[] = []
    let isOver = false
    const sample = async (): Promise<void> => {
      while (!isOver) {
        const { index } = await readBacklog(platform.database.sql)
        lags.push(index.lagSeconds ?? Number.POSITIVE_INFINITY)
        await pause(SAMPLE_MS)
      }
    }
    const sampling = sample()
    const startedAt = performance.now()
    const writes: Promise<unknown>[] = []
    for (let count = 0; count < seconds * WRITES_A_SECOND; count++) {
      const wait = startedAt + (count * 1_000) / WRITES_A_SECOND - performance.now()
      if (wait > 0) await pause(wait)
      writes.push(call('POST', address, { body: NUMBERED_FILE.replaceAll('#', `paced-${count}`) }))
    }
    await Promise.all(writes)
    const rate = (writes.length * 1_000) / (performance.now() - startedAt)
    isOver = true
    await sampling
    return { lag: quantile(lags, 0.95), rate }
  }

  const settle = () =>
    call('POST', `${apiUrl}/api/v1/automation/Elasticsearch.WaitForIndexing`, { body: '{"params":{}}' })
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
  const spent: { ours: number[]; floor: number[] } = { ours: [], floor: [] }
  const spentByAll: { ours: number[]; floor: number[] } = { ours: [], floor: [] }
  const writing = (isIndexed: boolean) => async (): Promise<number> => {
    const property = `${apiUrl}/api/v1/contributions/configuration/elasticsearch.enabled`
    const body = JSON.stringify({ value: isIndexed })
    await call('PUT', property, { body })
    await pause(LEARN_MS)
    if (isIndexed) await settle()
    const before = await serverTime(apiUrl)
    const allBefore = treeProcessorMs(process.pid)
    const load = { method: 'POST', urls: [address], callers: CALLERS, seconds, headers, body: NUMBERED_FILE }
    const rate = await generate(load)
    const side = isIndexed ? 'ours' : 'floor'
    spent[side].push(((await serverTime(apiUrl)) - before) / (rate * seconds))
    // What is still to be indexed is part of what the writes cost.
    if (isIndexed) await settle()
    spentByAll[side].push((treeProcessorMs(process.pid) - allBefore) / (rate * seconds))
    return rate
  }

  const { lag, rate } = await lagAtRate()
  await settle()
  const rates = await alternate(isQuick ? 1 : 3, { ours: writing(true), floor: writing(false) })
  return [
    {
      name: `index lag, p95, at ${rate.toFixed(0)} writes a second`,
      unit: 's',
      ours: lag,
      goal: { most: 1 },
    },
    { name: `writes with the index, ${CALLERS} callers`, unit: '1/s', ...rates, goal: { least: 0.95 } },
    {
      name: 'the same, processor time of the API',
      unit: 'ms',
      ours: median(spent.ours),
      floor: median(spent.floor),
    },
    {
      name: 'the same, processor time of client and all servers',
      unit: 'ms',
      ours: median(spentByAll.ours),
      floor: median(spentByAll.floor),
    },
  ]
}
