import { documentEvent, type Session } from '../../content/documents/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'

/** The event of the outbox that stands for an entry whose fields a caller gives. Nobody listens to it. */
export const LOGGED_EVENT = 'logEntry'

const MAX_NAME = 256
const MAX_COMMENT = 4_000

/**
 * Has an entry written about a document once the session's transaction has committed, also of an event that is not
 * audited (workflow-audit.md §6, `Audit.LogEvent`).
 *
 * @throws badRequest for an event without a name, and for a long comment; insufficientStorage.
 */
export const logEvent = async (
  { stores, writes }: Pick<Session, 'stores' | 'writes'>,
  document: DocumentRecord,
  { event, category, comment }: { event: string; category: string; comment: string | undefined },
): Promise<void> => {
  for (const [name, value] of Object.entries({ event, category }))
    if (value.trim() === '' || value.length > MAX_NAME)
      throw fail('badRequest', `${name}: must have 1 to ${MAX_NAME} characters`)
  if (comment !== undefined && comment.length > MAX_COMMENT)
    throw fail('badRequest', `comment: must have at most ${MAX_COMMENT} characters`)
  await writes?.spend(0)
  await stores.outbox.emit([
    documentEvent(LOGGED_EVENT, document, { eventId: event, category, comment: comment ?? null }),
  ])
}
