import type { ArchivoltError } from '../../platform/errors/index.js'
import { KEPT_MESSAGE, type RehearsalNotes, type RehearsedLoop, type Value } from '../language/index.js'

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
