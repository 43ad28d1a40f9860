import { READ_BUFFER_BYTES } from '../../../core/files/blobs/index.js'

/** Buffers that are kept for the next content; those of ten uploads at once are made once. */
const KEPT = 20

const free: Uint8Array[] = []

/** A buffer for content, of READ_BUFFER_BYTES, that threads may share; what it holds is left from content before. */
export const takeBuffer = (): Uint8Array =>
  free.pop() ?? new Uint8Array(new SharedArrayBuffer(READ_BUFFER_BYTES))

/** Gives a buffer back, of which nobody reads any more. */
export const giveBackBuffer = (buffer: Uint8Array): void => {
  if (free.length < KEPT) free.push(buffer)
}
