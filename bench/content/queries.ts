import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { ensureDatabase } from '../../stack/postgres/index.js'
import { startBuilt } from '../harness/child.js'
import type { Figure, Measure, MeasureContext } from '../harness/types.js'
import { type Filled, fillRepository, openPlatform, readFilled } from '../repository/fill.js'
import type { ShapesAsked, ShapesMeasured } from '../repository/measure-shapes.js'
import { pageThroughAll } from '../repository/paging.js'

const DOCUMENTS = 1_000_000
const DATABASE = 'bench_repository'

const documentsFor = (isQuick: boolean): number => (isQuick ? 20_000 : DOCUMENTS)

type Opened = Pick<ShapesAsked, 'env' | 'databaseUrl'> & { filled: Filled }

/** A repository of its own on the server of the run, so that nothing else is in it. */
const openFilled = async ({ servers, isQuick, atEnd }: MeasureContext): Promise<Opened> => {
  const documents = documentsFor(isQuick)
  const url = new URL(servers.databaseUrl)
  url.pathname = `/${DATABASE}`
  const databaseUrl = url.href
  await ensureDatabase(servers.databaseUrl, DATABASE)
  const known = await readFilled(databaseUrl, documents)
  if (!known) await renewDatabase(servers.databaseUrl)
  const home = mkdtempSync(join(tmpdir(), 'archivolt-bench-'))
  // One connection, as the SQL by hand has: each prepares a statement for itself.
  const own = { DATABASE_URL: databaseUrl, ARCHIVOLT_HOME: home, ARCHIVOLT_DATABASE_POOL: '1' }
  const env = { ...servers.env, ...own }
  atEnd(async () => rmSync(home, { recursive: true, force: true }))
  if (known) return { env, databaseUrl, filled: known }
  const platform = await openPlatform(env)
  try {
    return { env, databaseUrl, filled: await fillRepository(platform, { databaseUrl, documents }) }
  } finally {
    await platform.close()
  }
}

const renewDatabase = async (serverUrl: string): Promise<void> => {
  const admin = postgres(serverUrl, { max: 1, onnotice: () => undefined })
  await admin`DROP DATABASE ${admin(DATABASE)}`
  await admin`CREATE DATABASE ${admin(DATABASE)}`
  await admin.end()
}

const generating = ({ documents, folders, seconds }: Filled): Figure[] =>
  seconds
    ? [
        {
          name: `generating ${documents} documents by COPY`,
          unit: '1/s',
          ours: (documents - folders.length) / seconds.copying,
          goal: { least: 20_000 },
        },
        { name: 'the same, with rights, words and indexes', unit: 's', ours: seconds.total },
      ]
    : []

/** Queries with read rights over a million generated documents, against SQL written by hand for the same answer. */
export const measureQueries: Measure = async (context) => {
  const { env, databaseUrl, filled } = await openFilled(context)
  const { documents } = filled
  const { isQuick } = context
  const asked: ShapesAsked = { env, databaseUrl, documents: documentsFor(isQuick), isQuick }
  const child = await startBuilt('repository/measure-shapes.ts', [JSON.stringify(asked)])
  await child.stop()
  const { times, scanning } = JSON.parse(child.ready) as ShapesMeasured
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  context.atEnd(async () => sql.end())
  return [
    ...generating(filled),
    ...times.map(({ name, ...measured }) => ({
      name: `NXQL p95, ${name}`,
      unit: 'ms',
      ...measured,
      goal: { most: 1.2 },
    })),
    {
      name: ['NXQL shapes that scan all documents', ...scanning].join(', '),
      unit: 'of 10',
      ours: scanning.length,
      goal: { most: 0 },
    },
    ...(await pageThroughAll(context, { sql, databaseUrl, documents })),
  ]
}
