import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProvidedContext } from 'vitest'
import { startPostgres } from '../../stack/postgres/index.js'
import { freePort, startReaper } from '../../stack/process/index.js'
import { startTemporal } from '../../stack/temporal/index.js'
import { serveOnDemand } from './on-demand.js'
import { seedTemplate } from './seed-template.js'
import { createTemplate } from './template.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the Postgres server's maintenance database. */
    databaseServer: string
    /** Name of the migrated database that each file's own is cloned from. */
    databaseTemplate: string
    /** The same after the product's first start. */
    seededTemplate: string
    /** host:port of Temporal. */
    temporalAddress: string
    /** Address that starts Elasticsearch when a test file asks for it. */
    onDemand: string
  }
}

export type TestServers = { addresses: ProvidedContext; stop(): Promise<void> }

type Started = { pid?: number; stop(): Promise<void> }

const startDatabase = async (folder: string): Promise<Started & { url: string }> => {
  const given = process.env.ARCHIVOLT_TEST_DATABASE_URL
  if (given) return { url: given, stop: async () => undefined }
  const server = await startPostgres({
    dataFolder: join(folder, 'postgres'),
    passwordFile: join(folder, 'postgres-password'),
    logFile: join(folder, 'postgres.log'),
    port: await freePort(),
    isDurable: false,
    maxConnections: 300,
  })
  return { ...server, url: server.url('postgres') }
}

const startEngine = async (folder: string): Promise<Started & { address: string }> => {
  const given = process.env.ARCHIVOLT_TEST_TEMPORAL_ADDRESS
  if (given) return { address: given, stop: async () => undefined }
  return startTemporal({
    port: await freePort(),
    uiPort: await freePort(),
    logFile: join(folder, 'temporal.log'),
    env: process.env,
    onState: (state, detail) =>
      state === 'fetching' && process.stdout.write(`Temporal: fetching (${detail})\n`),
  })
}

/** Starts one Postgres, with the databases that others are cloned from, and one Temporal. A run that is killed ends them, too. */
export const startTestServers = async (): Promise<TestServers> => {
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-test-'))
  chmodSync(folder, 0o711)
  const reaper = startReaper(folder)
  const watched = async <Server extends Started>(starting: Promise<Server>): Promise<Server> => {
    const server = await starting
    if (server.pid) reaper.watch(server.pid)
    return server
  }
  const [database, temporal] = await Promise.all([
    watched(startDatabase(folder)),
    watched(startEngine(folder)),
  ])
  const template = await createTemplate(database.url)
  const seeded = await createTemplate(database.url, { from: template.name, fill: seedTemplate })
  const onDemand = await serveOnDemand(folder, reaper)
  return {
    addresses: {
      databaseServer: database.url,
      databaseTemplate: template.name,
      seededTemplate: seeded.name,
      temporalAddress: temporal.address,
      onDemand: onDemand.url,
    },
    stop: async () => {
      await Promise.all([template.drop(), seeded.drop()])
      await Promise.all([database.stop(), temporal.stop(), onDemand.stop()])
      rmSync(folder, { recursive: true, force: true })
      reaper.dismiss()
    },
  }
}
