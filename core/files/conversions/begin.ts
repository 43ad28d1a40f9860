import type { BlobValue } from '../../model/properties/index.js'
import type { ConversionRequest, Conversions } from './conversions.js'

/** Conversions that a process begins at once, so that other short work finds its turn meanwhile. */
const AT_ONCE = 10

/** How long a conversion has until it is left to go on by itself, milliseconds. */
const BEGUN_MS = 3_000

/** How long it goes on without anybody who waits for it, milliseconds: who asks for it next joins it. */
const LEFT_MS = 10_000

/** Converts what takes seconds; null: it takes longer, or is expected to, so that the caller is to ask for it again. */
export type BeginConversion = (request: ConversionRequest) => Promise<BlobValue | null>

/**
 * Conversions as one short step. One that takes longer than its time is not lost: who asks for the same thing in the
 * same process goes on with it.
 *
 * @param conversions `convert` converts the same request at the same time once.
 */
export const createBeginning = (
  { convert, isShort }: Pick<Conversions, 'convert' | 'isShort'>,
  { begunMs = BEGUN_MS, leftMs = LEFT_MS }: { begunMs?: number; leftMs?: number } = {},
): BeginConversion => {
  let begun = 0

  const within = async (request: ConversionRequest): Promise<BlobValue | null> => {
    const left = new AbortController()
    const { signal } = request
    const stop = () => left.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), begunMs)
    })
    const converted = convert({ ...request, signal: left.signal })
    try {
      const first = await Promise.race([converted, late])
      if (first === null) leave(converted, left)
      return first
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }

  const leave = (converted: Promise<BlobValue>, left: AbortController): void => {
    const timer = setTimeout(() => left.abort(new Error('Nobody waits for the conversion any more')), leftMs)
    // Who has joined it hears how it ends; else whoever asks next finds its result, or has its failure again.
    converted.catch(() => undefined).finally(() => clearTimeout(timer))
  }

  return async (request) => {
    request.signal?.throwIfAborted()
    if (begun >= AT_ONCE || !isShort(request)) return null
    begun++
    try {
      return await within(request)
    } finally {
      begun--
    }
  }
}
