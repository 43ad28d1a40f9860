import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import type { Mail } from '../../../core/content/stores/index.js'
import type { ContentBackend } from './backend.js'

const mail = (subject: string): Mail => ({ from: 'a@x', to: ['b@x'], subject, body: 'text', isHtml: false })

/** What every queue of mail must do, and the store that it is sent from. */
export const describeMailQueue = (name: string, backend: ContentBackend): void => {
  const { mails } = backend
  const enqueue = (...subjects: string[]) =>
    backend.transaction(SYSTEM, async ({ stores }) => {
      for (const subject of subjects) await stores.mail.enqueue(mail(subject))
    })
  const soon = () => new Date(Date.now() + 60_000)

  describe(`${name}: mail`, () => {
    test('waits from the commit on, for one taker at a time', async () => {
      await enqueue('kept')
      const failing = backend.transaction(SYSTEM, async ({ stores }) => {
        await stores.mail.enqueue(mail('undone'))
        throw new Error('undone')
      })
      await expect(failing).rejects.toThrow('undone')
      const taken = await mails.takeDue(soon())
      expect(taken).toMatchObject({ mail: mail('kept'), attempts: 1 })
      expect(await mails.takeDue(soon())).toBeUndefined()
      await mails.settle(taken!.id, { kind: 'sent' })
      expect(await mails.takeDue(new Date(Date.now() + 86_400_000))).toBeUndefined()
    })

    test('comes again at its time, and never when it was given up', async () => {
      await enqueue('later')
      const { id } = (await mails.takeDue(soon()))!
      const at = new Date(Date.now() + 3_600_000)
      await mails.settle(id, { kind: 'later', error: 'busy', at })
      expect(await mails.takeDue(new Date(at.getTime() - 1_000))).toBeUndefined()
      expect(await mails.takeDue(new Date(at.getTime() + 1_000))).toMatchObject({ id, attempts: 2 })
      await mails.settle(id, { kind: 'failed', error: 'refused' })
      await mails.removeOld()
      expect(await mails.takeDue(new Date(at.getTime() + 86_400_000))).toBeUndefined()
    })

    test('of a taker that never settles it is taken again', async () => {
      await enqueue('lost')
      const first = (await mails.takeDue(soon()))!
      const again = await mails.takeDue(new Date(Date.now() + 3_600_000))
      expect(again).toMatchObject({ id: first.id, attempts: 2 })
      await mails.settle(first.id, { kind: 'sent' })
    })
  })
}
