import { type Ace, aceId } from '../../access/security/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { shortened } from '../../platform/limits/index.js'
import { requirePermission, type Session } from '../documents/index.js'
import { addressesOf } from '../mail/index.js'

/** Characters of a title that a mail shows. */
const MAX_TITLE = 500

const titleOf = ({ properties, name }: DocumentRecord): string =>
  shortened(String(properties['dc:title'] ?? name), MAX_TITLE)

const day = (date: string): string => date.slice(0, 10)

const textOf = (
  { principal }: Session,
  document: DocumentRecord,
  { ace, address }: { ace: Ace; address: string },
): string =>
  [
    `${ace.creator || principal.name} gave you the permission ${ace.permission} on "${titleOf(document)}".`,
    ...(ace.begin ? [`It begins on ${day(ace.begin)}.`] : []),
    ...(ace.end ? [`It ends on ${day(ace.end)}.`] : []),
    ...(ace.comment ? ['', ace.comment] : []),
    '',
    address,
  ].join('\n')

/**
 * Notifies by mail whoever an entry of a document's ACLs grants something; the members of a group one by one, so
 * that nobody learns who the others are.
 *
 * @param address where a reader finds the document.
 * @returns the number of mails: 0 when none of its holders has a mail address.
 */
export const mailPermission = async (
  session: Session,
  document: DocumentRecord,
  { ace, sender, address }: { ace: Ace; sender: string; address: string },
): Promise<number> => {
  const to = await addressesOf(session, ace.username)
  for (const receiver of to)
    await session.stores.mail.enqueue({
      from: sender,
      to: [receiver],
      subject: `New permission on ${titleOf(document).replace(/\s+/g, ' ')}`,
      body: textOf(session, document, { ace, address }),
      isHtml: false,
    })
  return to.length
}

/**
 * Mails about an entry of a document's own ACLs, as `mailPermission` does.
 *
 * @param id the entry, with all its segments.
 * @throws forbidden without `WriteSecurity`; badRequest for an entry that is not there or grants nothing; conflict when
 * none of its holders has a mail address.
 */
export const notifyOfPermission = async (
  session: Session,
  document: DocumentRecord,
  { id, sender, address }: { id: string; sender: string; address: string },
): Promise<void> => {
  await requirePermission(session, document, 'WriteSecurity')
  const acls = await session.stores.acls.local(document.id)
  const ace = acls.flatMap(({ aces }) => aces).find((each) => aceId(each) === id)
  if (!ace) throw fail('badRequest', `id: the document has no entry '${id}'`)
  if (!ace.granted) throw fail('badRequest', `id: '${id}' grants nothing`)
  if ((await mailPermission(session, document, { ace, sender, address })) === 0)
    throw fail('conflict', `id: '${ace.username}' has no mail address`)
}
