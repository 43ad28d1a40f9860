import { setTimeout as pause } from 'node:timers/promises'
import { readBacklog } from '../../storage/postgres/index.js'
import {
  AUTHORIZATION,
  call,
  contribute,
  createDocument,
  LEARN_MS,
  NUMBERED_FILE,
} from '../harness/client.js'
import { generate } from '../harness/generate.js'
import { writePaced } from '../harness/paced.js'
import { alternate, median, quantile } from '../harness/rounds.js'
import type { Figure } from '../harness/types.js'
import { treeProcessorMs } from '../harness/usage.js'
import type { Searched } from './open.js'
import { serverTime } from './processor-time.js'

const CALLERS = 8
const SAMPLE_MS = 50

/** How far the index lags behind so many writes a second, and what writing costs beside it. */
export const measureWrites = async (
  { platform }: Searched,
  { apiUrl, isQuick }: { apiUrl: string; isQuick: boolean },
): Promise<Figure[]> => {
  const parent = await createDocument(apiUrl, { parent: '/', type: 'Folder', name: 'bench-writes' })
  const address = `${apiUrl}/api/v1/id/${parent}`
  const seconds = isQuick ? 2 : 10

  const lagsWhile = async <Result>(work: () => Promise<Result>): Promise<[number[], Result]> => {
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
    const result = await work()
    isOver = true
    await sampling
    return [lags, result]
  }

  const settle = () =>
    call('POST', `${apiUrl}/api/v1/automation/Elasticsearch.WaitForIndexing`, { body: '{"params":{}}' })
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
  const spent: { ours: number[]; floor: number[] } = { ours: [], floor: [] }
  const spentByAll: { ours: number[]; floor: number[] } = { ours: [], floor: [] }
  const enable = async (isIndexed: boolean): Promise<void> => {
    await contribute(apiUrl, 'configuration/elasticsearch.enabled', JSON.stringify({ value: isIndexed }))
    await pause(LEARN_MS)
    if (isIndexed) await settle()
  }
  const lags: number[] = []
  const paceds: number[] = []
  /** Milliseconds of a write, at a rate that leaves the cores room. */
  const paced = (isIndexed: boolean) => async (): Promise<number> => {
    await enable(isIndexed)
    const write = () => writePaced(address, { seconds, name: `paced-${paceds.length}` })
    const [sampled, { rate, took }] = await lagsWhile(write)
    paceds.push(rate)
    if (isIndexed) lags.push(...sampled)
    return took
  }
  const writing = (isIndexed: boolean) => async (): Promise<number> => {
    await enable(isIndexed)
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

  const rounds = isQuick ? 1 : 3
  const times = await alternate(rounds, { ours: paced(true), floor: paced(false) })
  const rates = await alternate(rounds, { ours: writing(true), floor: writing(false) })
  const rate = median(paceds).toFixed(0)
  return [
    {
      name: `index lag, p95, at ${rate} writes a second`,
      unit: 's',
      ours: quantile(lags, 0.95),
      goal: { most: 1 },
    },
    { name: `write with the index, at ${rate} a second`, unit: 'ms', ...times, goal: { most: 1.05 } },
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
