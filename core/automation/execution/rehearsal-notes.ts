import type { ArchivoltError } from '../../platform/errors/index.js'
import type { NamedFailure } from './incident-paths.js'
import { KEPT_MESSAGE } from './receipts.js'
import type { Value } from './values.js'

/** A loop of a dry run whose items would have had transactions of their own. */
export type RehearsedLoop = {
  operation: string
  target: string
  total: number
  /** Items that it passed over. */
  failed: number
  /** The first of them. */
  failures: NamedFailure[]
}

/** What a dry run tells beside its effects. */
export type RehearsalNotes = {
  /** In order; the first `MOST_LOOPS`. */
  loops: RehearsedLoop[]
  /** Ids of the bulk commands that it gave: they would begin after the commit. */
  commands: string[]
}

const MOST_LOOPS = 100
const MOST_FAILURES = 20

/** Notes a loop that begins. @returns what takes its failures. */
export const noteLoop = (
  { loops }: RehearsalNotes,
  about: Pick<RehearsedLoop, 'operation' | 'target' | 'total'>,
): ((failed: { position: number; element: Value; failure: ArchivoltError }) => void) => {
  const loop: RehearsedLoop = { ...about, failed: 0, failures: [] }
  if (loops.length < MOST_LOOPS) loops.push(loop)
  return ({ position, element, failure: { status, message } }) => {
    loop.failed++
    if (loop.failures.length >= MOST_FAILURES) return
    const id = element.type === 'document' && { id: element.id }
    loop.failures.push({ position, status, message: message.slice(0, KEPT_MESSAGE), ...id })
  }
}
