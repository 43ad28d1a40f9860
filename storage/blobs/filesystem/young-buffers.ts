/**
 * V8 marks all of its heap when buffers have come that are as large as the growth of the heap that it is allowed: a fifth by
 * `--heap-growing-percent=20`, 14 MiB beside a heap of 70, also if most of them are free by then.
 */
const PASSED_BYTES = 6 * 1024 * 1024

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
