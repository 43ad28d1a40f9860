/** V8 marks all of its heap when buffers of 64 MiB have come since it last did so, also if most are free by then. */
const PASSED_BYTES = 24 * 1024 * 1024

let passed = 0

/**
 * Frees buffers of content that has passed, by a collection of young objects, which takes a millisecond. Left to
 * itself V8 looks at young objects when 16 MB of those have come; buffers are outside of its heap, so that hundreds of
 * MiB pass meanwhile. They make it mark the whole heap, time and again: more work than hashing them.
 *
 * @param bytes that have passed.
 * @param collect what Node gives a process that is started with `--expose-gc`; without it nothing is collected.
 * @returns whether it has collected.
 */
export const passBuffers = (
  bytes: number,
  collect: NodeJS.GCFunction | undefined = globalThis.gc,
): boolean => {
  passed += bytes
  if (passed < PASSED_BYTES || !collect) return false
  passed = 0
  collect({ type: 'minor' })
  return true
}
