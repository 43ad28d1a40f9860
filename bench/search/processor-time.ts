import type { Client } from '@elastic/elasticsearch'
import { call } from '../harness/client.js'

/** Milliseconds of processor time that Elasticsearch has used. */
export const engineTime = async (client: Client): Promise<number> => {
  const { nodes } = await client.nodes.stats({ metric: 'process' })
  return Object.values(nodes).reduce(
    (sum, { process }) => sum + Number(process?.cpu?.total_in_millis ?? 0),
    0,
  )
}

/** Milliseconds of processor time that a server of the product has used. */
export const serverTime = async (url: string): Promise<number> => {
  const { body } = await call('GET', `${url}/metrics`)
  const [, seconds] = /^process_cpu_seconds_total\{[^}]*\} (\S+)$/m.exec(body.toString()) ?? []
  if (seconds === undefined) throw new Error(`${url}/metrics has no process_cpu_seconds_total`)
  return Number(seconds) * 1_000
}

/** Milliseconds of processor time that this process has used. */
export const ownTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
