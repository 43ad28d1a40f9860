import { pino } from 'pino'
import { beforeEach, expect, it } from 'vitest'
import type { DocumentListener } from '../../../core/content/documents/index.js'
import {
  createDocument,
  getDocument,
  type Session,
  updateDocument,
} from '../../../core/content/documents/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { createTestPlatform } from '../../support/platform.js'
import { documentTools, namesOf } from '../support/document-support.js'
import { ADMINISTRATOR } from '../support/operations-support.js'

const PARENT = '/default-domain/workspaces'

const saved: (string | null)[] = []
let work: ((session: Session) => Promise<unknown>) | undefined

const listeners: DocumentListener[] = [
  {
    name: 'saved',
    events: ['sessionSaved'],
    isRollback: true,
    handle: async (session, { documentId }) => {
      saved.push(documentId)
      await work?.(session)
      return undefined
    },
  },
]

const { platform } = await createTestPlatform({}, pino({ level: 'silent' }), { listeners })
const { as, events } = documentTools({ platform })

beforeEach(async () => {
  work = undefined
  await events()
  saved.length = 0
})

const make = (name: string) => (session: Session) =>
  createDocument(session, { parent: PARENT, type: 'File', name })

it.each<[string, (work: (session: Session) => Promise<unknown>) => Promise<unknown>]>([
  ['a session', (making) => as(making)],
  ['a single write', (making) => platform.withSingleWrite(ADMINISTRATOR, making)],
  ['a segment', (making) => platform.units.transaction(ADMINISTRATOR, ({ session }) => making(session))],
])('%s ends with sessionSaved, in its transaction', async (title, unit) => {
  work = async (session) => {
    expect(session.isAtomic).toBe(true)
    const made = await getDocument(session, `${PARENT}/${title}`)
    await updateDocument(session, made, { 'dc:source': 'saved' })
  }
  await unit(make(title))
  expect(saved).toEqual([null])
  expect(namesOf(await events())).toEqual(['documentCreated', 'documentModified'])
  const made = await getDocument(platform.readSession(ADMINISTRATOR), `${PARENT}/${title}`)
  expect(made.properties['dc:source']).toBe('saved')
})

it('takes back what was written when a listener that may refuse does', async () => {
  work = async () => Promise.reject(fail('badRequest', 'Not today'))
  await expect(as(make('refused'))).rejects.toThrow('Not today')
  expect(await events()).toEqual([])
})

it('is not heard of work that failed, nor of reading', async () => {
  await expect(as(async () => Promise.reject(fail('badRequest', 'No')))).rejects.toThrow('No')
  await getDocument(platform.readSession(ADMINISTRATOR), PARENT)
  expect(saved).toEqual([])
})
