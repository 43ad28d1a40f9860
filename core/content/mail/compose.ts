import type { BlobValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import type { Session } from '../documents/index.js'
import type { Mail } from '../stores/index.js'
import { receivers } from './receivers.js'

/** Receivers of one mail: more are a mailing list, which a mail server has. */
const MAX_RECEIVERS = 1_000
const MAX_CHARACTERS = 1024 * 1024
const MAX_SUBJECT = 1_000

export type MailDraft = {
  /** One address, or the name of a user who has one. */
  from: string
  to: readonly string[]
  cc: readonly string[]
  bcc: readonly string[]
  replyTo: readonly string[]
  subject: string
  body: string
  isHtml: boolean
  attachments: readonly BlobValue[]
  isStrict: boolean
}

const requireShort = (text: string, most: number, parameter: string): void => {
  if (text.length > most) throw fail('tooLarge', `${parameter}: is longer than ${most} characters`)
}

/**
 * A mail with the addresses of those whom a draft names.
 *
 * @throws badRequest naming the parameter that leads to no address, tooLarge.
 */
export const composeMail = async (session: Session, draft: MailDraft): Promise<Mail> => {
  const { isStrict, isHtml, body } = draft
  requireShort(draft.subject, MAX_SUBJECT, 'subject')
  requireShort(body, MAX_CHARACTERS, 'message')
  const [from, ...others] = await receivers(session, [draft.from], { parameter: 'from', isStrict: true })
  if (!from || others.length > 0) throw fail('badRequest', 'from: one address is expected')
  const of = (parameter: 'to' | 'cc' | 'bcc' | 'replyTo') =>
    receivers(session, draft[parameter], { parameter: parameter.toLowerCase(), isStrict })
  const mail: Mail = {
    from,
    to: await of('to'),
    cc: await of('cc'),
    bcc: await of('bcc'),
    replyTo: await of('replyTo'),
    // A line break in a subject would begin another header.
    subject: draft.subject.replace(/\s+/g, ' ').trim(),
    body,
    isHtml,
    attachments: draft.attachments,
  }
  const count = mail.to.length + (mail.cc?.length ?? 0) + (mail.bcc?.length ?? 0)
  if (count === 0) throw fail('badRequest', 'to: none of the receivers has a mail address')
  if (count > MAX_RECEIVERS) throw fail('badRequest', `to: more than ${MAX_RECEIVERS} receivers`)
  return mail
}
