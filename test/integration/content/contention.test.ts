import { expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import { createDocument, getDocument, updateDocument } from '../../../core/content/documents/index.js'
import { createTestPlatform } from '../../support/platform.js'

const { platform } = await createTestPlatform()

const WRITERS = 24
const ROUNDS = 5

const newFile = (name: string) =>
  platform.withSession(SYSTEM, (session) =>
    createDocument(session, { parent: '/', name, type: 'File', properties: { 'common:size': 0 } }),
  )

/** Reads a counter and writes one more: an increment is lost as soon as two read the same value. */
const increment = (id: string) => async (session: ReturnType<typeof platform.readSession>) => {
  const file = await getDocument(session, id)
  return updateDocument(session, file, { 'common:size': Number(file.properties['common:size']) + 1 })
}

const all = (work: () => Promise<unknown>) =>
  Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (let round = 0; round < ROUNDS; round++) await work()
    }),
  )

const counterOf = async (id: string) =>
  (await getDocument(platform.readSession(SYSTEM), id)).properties['common:size']

test('writers of one document in transactions lose nothing, and none is refused', async () => {
  const { id } = await newFile('in-transactions')
  await all(() => platform.withSession(SYSTEM, increment(id)))
  expect(await counterOf(id)).toBe(WRITERS * ROUNDS)
})

test('writers of one document by single statements lose nothing, and none is refused', async () => {
  const { id } = await newFile('by-single-statements')
  await all(() => platform.withSingleWrite(SYSTEM, increment(id)))
  expect(await counterOf(id)).toBe(WRITERS * ROUNDS)
})
