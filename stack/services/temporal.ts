import type { Home } from '../home/index.js'
import type { Service } from '../supervisor/index.js'
import { startTemporal } from '../temporal/index.js'

export const temporalService = (home: Home, ports: { port: number; uiPort: number }): Service => ({
  name: 'temporal',
  start: async ({ report, onLaunch, signal }) => {
    const { address, uiUrl } = await startTemporal({
      ...ports,
      databaseFile: home.temporalDatabase,
      logFile: home.logFile('temporal'),
      env: process.env,
      onState: report,
      onLaunch,
      signal,
    })
    return `${address}, UI at ${uiUrl}`
  },
})
