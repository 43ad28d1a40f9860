import type { TransientFileStore } from '../transient/index.js'
import { chunkSlot, fileSlot } from './parts.js'
import type { FileProgress, UploadedFile } from './types.js'

/**
 * How much of a file has arrived.
 *
 * @param receiving bytes of it that this process is receiving.
 */
export const progressOf = async (
  { store, key }: { store: Pick<TransientFileStore, 'blob'>; key: string },
  { index, name, size, chunks, isComplete }: UploadedFile,
  receiving: (index: string) => number,
): Promise<FileProgress> => {
  const file = { index, name, size, isComplete }
  const whole = isComplete ? await store.blob(key, fileSlot(index)) : undefined
  if (whole) return { ...file, arrived: whole.length }
  let arrived = receiving(index)
  for (const chunk of chunks?.uploaded ?? [])
    arrived += (await store.blob(key, chunkSlot(index, chunk)))?.length ?? 0
  return { ...file, arrived }
}
