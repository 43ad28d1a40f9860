import { expect, test } from 'vitest'
import { createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform({
  ARCHIVOLT_DATABASE_POOL: '2',
  ARCHIVOLT_DATABASE_WAIT_SECONDS: '1',
})
const call = createClient(platform)
const DOMAIN = '/api/v1/path/default-domain'
const QUERY = `/api/v1/search/execute?query=${encodeURIComponent('SELECT * FROM Domain')}`
const FOLDER = { 'entity-type': 'document', type: 'Folder', name: 'waited' }

/** Holds as many connections of the pool as there are. */
const useUp = async (): Promise<() => Promise<unknown>> => {
  const releases: (() => void)[] = []
  const held = Array.from({ length: 2 }, () => {
    let begun: (_: undefined) => void
    const isHeld = new Promise((resolve) => {
      begun = resolve
    })
    const over = platform.database.transaction(async (tx) => {
      await tx`SELECT 1`
      begun(undefined)
      await new Promise<void>((resolve) => releases.push(resolve))
    })
    return { isHeld, over }
  })
  await Promise.all(held.map(({ isHeld }) => isHeld))
  return () => {
    for (const release of releases) release()
    return Promise.all(held.map(({ over }) => over))
  }
}

test('requests wait for a free connection no longer than is set, and have then done nothing', async () => {
  // Twice: what the process knows is looked up first.
  for (let time = 0; time < 2; time++) expect((await call('GET', DOMAIN)).status).toBe(200)
  const release = await useUp()
  try {
    // Documents by their path, and small writes, have connections of their own.
    expect((await call('GET', DOMAIN)).status).toBe(200)
    const answers = await Promise.all([
      call('GET', QUERY),
      call('POST', DOMAIN, { json: FOLDER, headers: { 'X-Versioning-Option': 'MAJOR' } }),
      call('DELETE', `${DOMAIN}/workspaces`),
    ])
    for (const { status, headers, json } of answers) {
      expect([status, headers.get('Retry-After')]).toEqual([503, '1'])
      expect(json).toMatchObject({
        code: 'unavailable',
        message: 'All connections to the database were in use for too long',
      })
    }
  } finally {
    await release()
  }
  expect((await call('GET', `${DOMAIN}/waited`)).status).toBe(404)
  expect((await call('GET', `${DOMAIN}/workspaces`)).status).toBe(200)
})

test('what waits for less goes on, in order', async () => {
  const release = await useUp()
  const waiting = Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      call('POST', DOMAIN, { json: { ...FOLDER, name: `quick-${index}` } }),
    ),
  )
  await release()
  expect((await waiting).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))
})
