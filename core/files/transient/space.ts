import { fail, isArchivoltError } from '../../platform/errors/index.js'

/**
 * Keeps a store below its absolute maximum while something is written to it.
 *
 * @param usedBytes how much the store holds now.
 * @param wanted bytes that are known to come.
 * @param maxLength of the content itself.
 * @param write is given how many bytes it may take; takes no more by failing with `tooLarge`.
 * @throws insufficientStorage above the maximum.
 */
export const withinSpace = async (
  usedBytes: () => Promise<number>,
  {
    absoluteMaxBytes,
    wanted = 0,
    maxLength = Number.POSITIVE_INFINITY,
  }: { absoluteMaxBytes: number | undefined; wanted?: number; maxLength?: number | undefined },
  write: (maxLength: number) => Promise<void>,
): Promise<void> => {
  if (absoluteMaxBytes === undefined) return write(maxLength)
  const room = absoluteMaxBytes - (await usedBytes())
  const exceeded = fail(
    'insufficientStorage',
    `Maximum Transient Space Exceeded: the store of uploads is limited to ${absoluteMaxBytes} bytes`,
  )
  if (wanted > room || room < 0) throw exceeded
  try {
    await write(Math.min(maxLength, room))
  } catch (error) {
    if (room < maxLength && isArchivoltError(error) && error.code === 'tooLarge') throw exceeded
    throw error
  }
}
