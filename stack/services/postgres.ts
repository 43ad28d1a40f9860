import type { Home } from '../home/index.js'
import { ensureDatabase, startPostgres } from '../postgres/index.js'
import type { Service } from '../supervisor/index.js'

const DATABASE = 'archivolt'

/** The embedded Postgres; `onReady` receives the address of the product's database. */
export const postgresService = (home: Home, port: number, onReady: (url: string) => void): Service => ({
  name: 'postgres',
  start: async ({ report, onLaunch, signal }) => {
    const server = await startPostgres({
      dataFolder: home.postgresData,
      passwordFile: home.postgresPassword,
      logFile: home.logFile('postgres'),
      port,
      isDurable: true,
      maxConnections: 200,
      onState: report,
      onLaunch,
      signal,
    })
    await ensureDatabase(server.url('postgres'), DATABASE)
    onReady(server.url(DATABASE))
    return `127.0.0.1:${port}`
  },
})
