import { join } from 'node:path'
import { afterAll } from 'vitest'
import {
  buildWithGo,
  cacheFolder,
  findOnPath,
  freePort,
  gracefulThenKill,
  LOOPBACK,
  launchServer,
  whileRunning,
} from '../../stack/process/index.js'
import { createBucket, S3_CREDENTIALS } from './real-s3.js'

/** The last one that was released as source. */
const VERSION = 'v0.0.0-20260212201848-7aac2a2c5b7c'

/** The `minio` command: on PATH, else in the cache, else built by Go, which takes some minutes once. */
const findMinio = async (): Promise<string> => {
  const { env } = process
  const folder = join(cacheFolder(env), `minio-${VERSION}`)
  const found = findOnPath('minio', env.PATH) ?? findOnPath('minio', folder)
  if (found) return found
  const go = findOnPath('go', env.PATH)
  if (!go) throw new Error('neither `minio` nor Go, which builds it, is installed')
  process.stdout.write('MinIO: built by Go, some minutes once\n')
  return buildWithGo(go, { name: 'minio', module: `github.com/minio/minio@${VERSION}`, folder }, { env })
}

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/minio/health/ready`, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    // Not listening yet.
    return false
  }
}

const start = async (folder: string): Promise<string> => {
  const command = await findMinio()
  const port = await freePort()
  const address = `${LOOPBACK}:${port}`
  const server = launchServer({
    command,
    args: [
      'server',
      '--quiet',
      '--address',
      address,
      '--console-address',
      `${LOOPBACK}:${await freePort()}`,
      join(folder, 'minio'),
    ],
    logFile: join(folder, 'minio.log'),
    env: {
      ...{ PATH: process.env.PATH, HOME: folder },
      MINIO_ROOT_USER: S3_CREDENTIALS.accessKeyId,
      MINIO_ROOT_PASSWORD: S3_CREDENTIALS.secretAccessKey,
    },
    stopSteps: gracefulThenKill(10_000),
  })
  afterAll(() => server.stop())
  await whileRunning('MinIO', server, () => isReady(`http://${address}`))
  return `http://${address}`
}

/**
 * The address of MinIO with the bucket of the tests: the one of `ARCHIVOLT_TEST_S3_ENDPOINT`, or one of the file's own.
 * Call it at the top level of a test file.
 *
 * @param folder that it keeps its state in.
 * @returns undefined where the machine has no way to run it, whose tests are skipped then; under CI that is a failure.
 */
export const startMinio = async (folder: string): Promise<string | undefined> => {
  const given = process.env.ARCHIVOLT_TEST_S3_ENDPOINT
  try {
    const endpoint = given ?? (await start(folder))
    await createBucket(endpoint)
    return endpoint
  } catch (error) {
    if (process.env.CI || given !== undefined) throw error
    process.stderr.write(`MinIO cannot be started: ${(error as Error).message}\n`)
    return undefined
  }
}
