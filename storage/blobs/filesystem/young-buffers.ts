import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** V8 marks all of its heap when buffers of 64 MiB have come since it last did so, also if most are free by then. */
const PASSED_BYTES = 24 * 1024 * 1024

type Collect = (options: { type: 'minor' }) => void

/** V8's own collector, which programs see only while the flag is set. */
const exposed = (): Collect => {
  setFlagsFromString('--expose-gc')
  const collect: Collect = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return collect
}

let collect: Collect | undefined
let passed = 0

/**
 * Frees buffers of content that has passed, by a collection of young objects, which takes a millisecond. Left to
 * itself V8 looks at young objects when 16 MB of those have come; buffers are outside of its heap, so that hundreds of
 * MiB pass meanwhile. They make it mark the whole heap, time and again: more work than hashing them.
 *
 * @param bytes that have passed.
 * @returns whether it has collected.
 */
export const passBuffers = (bytes: number): boolean => {
  passed += bytes
  if (passed < PASSED_BYTES) return false
  passed = 0
  collect ??= exposed()
  collect({ type: 'minor' })
  return true
}
