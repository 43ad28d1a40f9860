import { type Login, type Means, startElasticsearch } from '../elasticsearch/index.js'
import type { Home } from '../home/index.js'
import { LOOPBACK } from '../process/index.js'
import type { Service } from '../supervisor/index.js'

export const elasticsearchService = (
  home: Home,
  { means, port, login }: { means: Means; port: number; login: Login },
): Service => ({
  name: 'elasticsearch',
  start: async ({ report, onLaunch, signal }) => {
    await startElasticsearch({
      means,
      port,
      login,
      dataFolder: home.elasticsearchData,
      logFile: home.logFile('elasticsearch'),
      env: process.env,
      onState: report,
      onLaunch,
      signal,
    })
    return `${LOOPBACK}:${port}`
  },
})
