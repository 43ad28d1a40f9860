import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { findMeans, newLogin, startElasticsearch } from '../../stack/elasticsearch/index.js'
import { freePort, LOOPBACK, type Reaper } from '../../stack/process/index.js'

type Started = { url: string; stop(): Promise<void> }

/** @throws Error that says what is missing. */
const start = async (folder: string, reaper: Reaper): Promise<Started> => {
  const given = process.env.ARCHIVOLT_TEST_ELASTICSEARCH_URL
  if (given) return { url: given, stop: async () => undefined }
  const means = await findMeans(process.env)
  if (typeof means === 'string') throw new Error(means)
  return startElasticsearch({
    means,
    dataFolder: join(folder, 'elasticsearch'),
    logFile: join(folder, 'elasticsearch.log'),
    port: await freePort(),
    login: newLogin(),
    env: process.env,
    onState: (state, detail) =>
      state === 'fetching' && process.stdout.write(`Elasticsearch: fetching (${detail})\n`),
    onLaunch: ({ pid }) => reaper.watch(pid),
  })
}

/**
 * Serves the address of one Elasticsearch for the whole run, started when the first test file asks: its start takes
 * longer than most runs of a few files.
 */
export const serveOnDemand = async (folder: string, reaper: Reaper): Promise<Started> => {
  let starting: Promise<Started> | undefined
  const server = createServer((_, response) => {
    starting ??= start(folder, reaper)
    starting.then(
      ({ url }) => response.end(url),
      (error: Error) => response.writeHead(503).end(error.message),
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, LOOPBACK, resolve)
  })
  server.unref()
  return {
    url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close()
      // What never started was reported to the files that asked for it.
      const started = await starting?.catch(() => undefined)
      await started?.stop()
    },
  }
}
