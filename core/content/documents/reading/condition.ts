import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail, isArchivoltError } from '../../../platform/errors/index.js'
import type { Session } from '../session.js'
import { hostDocument } from './host-document.js'

/** The older form of conditions, with the whole of it in braces. */
const IN_BRACES = /^\s*[#@$]\{([\s\S]*)\}\s*$/

/**
 * Evaluates conditions of the deployment about a change. They see `currentDocument` (or `Document`)
 * as it is about to be, `previousDocument` as it was, null for a new one, and who makes the change.
 *
 * @returns a test of a condition; `field` says where it is written. It throws badRequest, naming that, for one
 * that cannot be evaluated or is neither true nor false.
 */
export const conditionTest =
  (
    session: Session,
    { previous, current }: { previous: DocumentRecord | null; current: DocumentRecord },
  ): ((condition: string, field: string) => Promise<boolean>) =>
  async (condition, field) => {
    const { principal, now, expressions } = session
    const document = hostDocument(session, current)
    const evaluate = async (): Promise<unknown> => {
      try {
        return await expressions.evaluate(IN_BRACES.exec(condition)?.[1] ?? condition, {
          document,
          input: document,
          variables: { previousDocument: previous && hostDocument(session, previous) },
          principal,
          now,
          env: {},
        })
      } catch (error) {
        if (!isArchivoltError(error)) throw error
        throw fail(error.code, `${field}: ${error.message}`, { cause: error, details: error.details })
      }
    }
    const value = await evaluate()
    if (typeof value !== 'boolean') throw fail('badRequest', `${field}: must evaluate to true or false`)
    return value
  }
