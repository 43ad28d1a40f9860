import { describe, expect, onTestFinished, test } from 'vitest'
import { principalOf, SYSTEM } from '../../../core/access/security/index.js'
import { copyDocument, getDocument, queryDocuments } from '../../../core/content/documents/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import { createDatabase } from '../../../storage/postgres/index.js'
import { AUTOMATION, createRunsBench, runId } from '../support/runs-support.js'

const { call, deploy, ended, make, platform } = await createRunsBench({
  ARCHIVOLT_ACTIVITY_SLOTS: '2',
  ARCHIVOLT_DATABASE_POOL: '4',
  ARCHIVOLT_DATABASE_WAIT_SECONDS: '1',
})
const [ann, bob] = ['ann', 'bob'].map((name) => principalOf(name, ['members'], false))

/** Something that lasts until it is ended. */
const lasting = () => {
  let end = (): void => {}
  let begin = (): void => {}
  const isOver = new Promise<void>((resolve) => {
    end = resolve
  })
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve
  })
  return {
    end,
    hasBegun,
    work: () => {
      begin()
      return isOver
    },
  }
}

describe('what one user does for long', () => {
  test('leaves connections to others', async () => {
    const works = Array.from({ length: 3 }, lasting)
    const running = works.map(({ work }) => platform.withSession(ann!, work))
    await Promise.all(works.map(({ hasBegun }) => hasBegun))
    const refused = platform.units.transaction(ann!, async () => undefined)
    await expect(refused).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('ann has reached the limit of concurrent transactions'),
    })
    await platform.withSession(bob!, async () => undefined)
    await platform.units.transaction(bob!, async () => undefined)
    for (const { end } of works) end()
    await Promise.all(running)
    await platform.withSession(ann!, async () => undefined)
  })

  test('leaves documents by their keys, and what is current, to all', async () => {
    const works = Array.from({ length: 4 }, lasting)
    const running = works.map(({ work }) => platform.withSession(SYSTEM, work))
    await Promise.all(works.map(({ hasBegun }) => hasBegun))
    const root = await getDocument(platform.readSession(SYSTEM), '/')
    await platform.currency.current()
    for (const { end } of works) end()
    await Promise.all(running)
    expect(root.path).toBe('/')
  })

  test('leaves queries to others', async () => {
    const { work, hasBegun, end } = lasting()
    // On a connection of its own: of those of the platform, ann's queries take all but one.
    const beside = createDatabase({ url: platform.settings.databaseUrl, poolSize: 1 })
    onTestFinished(async () => {
      end()
      await beside.close()
    })
    const locked = beside.transaction(async (sql) => {
      await sql`LOCK TABLE document_texts IN ACCESS EXCLUSIVE MODE`
      await work()
    })
    await hasBegun
    const ask = (owner: typeof ann, where: string) =>
      queryDocuments(platform.readSession(owner!), parseNxql(`SELECT * FROM Document WHERE ${where}`))
    const search = () => ask(ann, "ecm:fulltext = 'word'")
    const searches = Array.from({ length: 4 }, search)
    await expect(Promise.race(searches)).rejects.toMatchObject({
      code: 'tooManyRequests',
      retryAfter: 1,
      message: 'User ann has reached the limit of concurrent queries; try again later',
    })
    expect((await ask(bob, "dc:title = 'none'")).entries).toEqual([])
    end()
    await locked
    const ended = (await Promise.allSettled(searches)).map(({ status }) => status)
    expect(ended.toSorted()).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
    expect((await search()).entries).toEqual([])
  })

  test('leaves copies of folders to others', async () => {
    const { uid, path } = await make('/default-domain/workspaces', 'copied', 'Workspace')
    for (const username of ['ann', 'bob']) {
      const params = { username, permission: 'ReadWrite' }
      const granted = await call('POST', `${AUTOMATION}/Document.AddPermission`, {
        json: { input: uid, params },
      })
      expect(granted.status, granted.text).toBe(200)
    }
    const held = await make(path, 'held', 'Folder')
    await make(path, 'free', 'Folder')
    await make(path, 'source', 'Folder')
    const { work, hasBegun, end } = lasting()
    const locked = platform.database.transaction(async (sql) => {
      await sql`SELECT 1 FROM documents WHERE id = ${held.uid} FOR UPDATE`
      await work()
    })
    await hasBegun
    const over: string[] = []
    const copy = (owner: typeof ann, target: string) =>
      platform
        .withSession(owner!, async (session) =>
          copyDocument(session, await getDocument(session, `${path}/source`), { target }),
        )
        .then((copied) => over.push(`${owner!.name} ${copied.path}`))
    onTestFinished(end)
    const first = copy(ann, held.path)
    const waiting = async () => {
      const { count } = await platform.database.sql`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      return count
    }
    await expect.poll(waiting, { timeout: 30_000 }).toBe(1)
    const second = copy(ann, `${path}/free`)
    await copy(bob, `${path}/free`)
    expect(over).toEqual([`bob ${path}/free/source`])
    end()
    await Promise.all([locked, first, second])
    expect(over.slice(1).map((line) => line.split(' ')[0])).toEqual(['ann', 'ann'])
  })

  test('says nothing about the health of the database, also where all connections are in use', async () => {
    const works = Array.from({ length: 4 }, lasting)
    const running = works.map(({ work }) => platform.database.transaction(work))
    await Promise.all(works.map(({ hasBegun }) => hasBegun))
    for (const { check } of platform.healthChecks) await check()
    for (const { end } of works) end()
    await Promise.all(running)
  })

  test('leaves slots of the worker to others', async () => {
    const { uid } = await make('/default-domain/workspaces', 'locked', 'File')
    const granted = await call('POST', `${AUTOMATION}/Document.AddPermission`, {
      json: { input: uid, params: { username: 'ann', permission: 'Everything' } },
    })
    expect(granted.status, granted.text).toBe(200)
    await deploy('change', '- Document.Update: {properties: {dc:source: changed}}')
    await deploy('note', '- Log: {message: here}')
    const start = (user: string, chain: string, input?: string) =>
      call('POST', `${AUTOMATION}/${chain}/@async`, { user, json: input === undefined ? {} : { input } })

    const { work, hasBegun, end } = lasting()
    const locked = platform.database.transaction(async (sql) => {
      await sql`SELECT 1 FROM documents WHERE id = ${uid} FOR UPDATE`
      await work()
    })
    await hasBegun
    const waiting = await Promise.all(Array.from({ length: 6 }, () => start('ann', 'change', `doc:${uid}`)))
    expect(waiting.map(({ status }) => status)).toEqual(Array(6).fill(202))
    const other = await start('bob', 'note')
    expect((await ended(runId(other))).status).toBe('COMPLETED')
    end()
    await locked
    for (const answer of waiting) expect((await ended(runId(answer))).status).toBe('COMPLETED')
  })
})
