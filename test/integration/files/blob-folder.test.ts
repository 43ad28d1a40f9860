import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createPlatform } from '../../../runtime/index.js'
import { createTestPlatform } from '../../support/platform.js'

const { platform, settings } = await createTestPlatform()

const homes: string[] = []
afterAll(() => Promise.all(homes.map((home) => rm(home, { recursive: true, force: true }))))

const newHome = async (): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), 'archivolt-home-'))
  homes.push(home)
  return home
}

const startOn = async (home: string): Promise<void> => {
  const started = await createPlatform({ ...settings, home }, pino({ level: 'silent' }))
  await started.close()
}

const markOf = (home: string): Promise<string> => readFile(join(home, 'blobs', 'store-id'), 'utf8')

test('a node whose folder of files is not that of the others refuses to start, and says what is wrong', async () => {
  await expect(startOn(await newHome())).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(/^ARCHIVOLT_HOME: .* lacks the file store-id\. Share one folder/),
  })
  await startOn(settings.home)
})

test('a folder that was restored without its mark is taken when somebody writes the mark', async () => {
  const home = await newHome()
  const message = await startOn(home).catch((error) => error.message)
  const [, mark] = /write (\S+) to that file/.exec(message) ?? []
  expect(`${mark}\n`).toBe(await markOf(settings.home))
  await mkdir(join(home, 'blobs'), { recursive: true })
  await writeFile(join(home, 'blobs', 'store-id'), mark ?? '')
  await startOn(home)
})

test('a folder with the files of another database is refused', async () => {
  const home = await newHome()
  await mkdir(join(home, 'blobs', 'data', 'ab'), { recursive: true })
  await writeFile(join(home, 'blobs', 'store-id'), 'another')
  const foreign = /is the folder of another database's files/
  await expect(startOn(home)).rejects.toThrow(foreign)
  await platform.database.sql`DELETE FROM blob_stores`
  await expect(startOn(home)).rejects.toThrow(foreign)
})

test('nodes that start together on a new database agree on one folder', async () => {
  await platform.database.sql`DELETE FROM blob_stores`
  const [one, other] = [await newHome(), await newHome()]
  const started = await Promise.allSettled([one, one, other, other].map(startOn))
  const isStarted = started.map(({ status }) => status === 'fulfilled')
  expect([
    [true, true, false, false],
    [false, false, true, true],
  ]).toContainEqual(isStarted)
})
