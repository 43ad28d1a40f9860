import { Readable } from 'node:stream'

/** Connections in a row that may end without a byte. */
const ATTEMPTS = 3

/**
 * Reads on where a connection was cut: bytes of a key never change.
 *
 * @param first the bytes from the beginning, as they come.
 * @param openAt opens the rest of them behind so many bytes.
 * @throws what ended the last of several connections that gave nothing.
 */
export const resumedRead = (first: Readable, openAt: (offset: number) => Promise<Readable>): Readable => {
  let body = first
  let offset = 0
  let failures = 0

  const resume = async (error: Error): Promise<void> => {
    failures += 1
    if (stream.destroyed) return
    if (failures >= ATTEMPTS) return void stream.destroy(error)
    try {
      const rest = await openAt(offset)
      if (stream.destroyed) rest.destroy()
      else follow(rest)
    } catch (refusal) {
      stream.destroy(refusal as Error)
    }
  }

  const follow = (next: Readable): void => {
    body = next
    next
      .on('data', (chunk: Buffer) => {
        offset += chunk.byteLength
        failures = 0
        if (!stream.push(chunk)) next.pause()
      })
      .once('end', () => stream.push(null))
      .once('error', (error) => void resume(error))
  }

  const stream = new Readable({
    read: () => void body.resume(),
    destroy(error, done) {
      body.destroy()
      done(error)
    },
  })
  // Reported to whoever reads it, which may not have begun: bytes come as soon as they can.
  stream.on('error', () => undefined)
  follow(first)
  return stream
}
