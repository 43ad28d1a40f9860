import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { MAX_EFFECTS } from '../../../core/automation/run-store/index.js'
import { type ExecutionBackend, undone } from './backend.js'

const NOTHING = { events: [], eventCount: 0, mails: [], mailCount: 0 }
const MAIL = { from: 'from@example.org', subject: 'Hi', body: 'x', isHtml: false }

/** What every record of the effects of a transaction must do. */
export const describeEffects = (name: string, { transaction }: ExecutionBackend): void => {
  const event = (text: string, documentId: string | null = null) => ({ event: text, documentId, payload: {} })

  describe(`${name}: effects`, () => {
    test('are those of the own transaction, in order, with documents as far as they are there', async () => {
      await transaction(async ({ emit }) => emit([event('committed before')]))
      const gone = randomUUID()
      const effects = await transaction(async (stores) => {
        expect(await stores.effects()).toEqual(NOTHING)
        await stores.emit([event('one', gone), event('two')])
        await stores.emit([event('three')])
        return stores.effects()
      })
      const place = { path: null, type: null }
      expect(effects).toEqual({
        ...NOTHING,
        events: [
          { event: 'one', documentId: gone, ...place },
          { event: 'two', documentId: null, ...place },
          { event: 'three', documentId: null, ...place },
        ],
        eventCount: 3,
      })
    })

    test('name mails with all who would receive them', async () => {
      const effects = await transaction(async (stores) => {
        await stores.enqueue({
          ...MAIL,
          to: ['a@example.org'],
          cc: ['c@example.org'],
          bcc: ['b@example.org'],
        })
        await stores.enqueue({ ...MAIL, to: ['d@example.org'], subject: 'Second' })
        return stores.effects()
      })
      const mails = effects.mails.toSorted((a, b) => a.subject.localeCompare(b.subject))
      expect({ ...effects, mails }).toEqual({
        ...NOTHING,
        mails: [
          { to: ['a@example.org', 'c@example.org', 'b@example.org'], subject: 'Hi' },
          { to: ['d@example.org'], subject: 'Second' },
        ],
        mailCount: 2,
      })
    })

    test('beyond the first thousand are counted', async () => {
      const [text, left] = await transaction(async (stores) => {
        await stores.emit(Array.from({ length: MAX_EFFECTS + 2 }, (_, n) => event(`event ${n}`)))
        const { events, eventCount } = await stores.effects()
        return [events.at(-1)?.event, eventCount - events.length] as const
      })
      expect([text, left]).toEqual([`event ${MAX_EFFECTS - 1}`, 2])
    })

    test('of a transaction that fails are those of no other', async () => {
      const failing = transaction(async (stores) => {
        await stores.emit([event('undone')])
        throw undone
      })
      await expect(failing).rejects.toBe(undone)
      expect(await transaction((stores) => stores.effects())).toEqual(NOTHING)
    })
  })
}
