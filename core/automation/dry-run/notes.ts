import type { ArchivoltError } from '../../platform/errors/index.js'
import { type DryRunLoop, type DryRunNotes, KEPT_MESSAGE, type Value } from '../language/index.js'

const MAX_LOOPS = 100
const MAX_FAILURES = 20

/** Notes a loop that begins. @returns what takes its failures. */
export const noteLoop = (
  { loops }: DryRunNotes,
  about: Pick<DryRunLoop, 'operation' | 'target' | 'total'>,
): ((failed: { position: number; element: Value; failure: ArchivoltError }) => void) => {
  const loop: DryRunLoop = { ...about, failed: 0, failures: [] }
  if (loops.length < MAX_LOOPS) loops.push(loop)
  return ({ position, element, failure: { status, message } }) => {
    loop.failed++
    if (loop.failures.length >= MAX_FAILURES) return
    const id = element.type === 'document' && { id: element.id }
    loop.failures.push({ position, status, message: message.slice(0, KEPT_MESSAGE), ...id })
  }
}
