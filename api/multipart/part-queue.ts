import type { Readable } from 'node:stream'

/** Parts that are stored at once: each takes a file, and statements for its accounting. */
const AT_ONCE = 4
/** Bytes of waiting parts in memory; beyond, no more of the body is read. */
const MAX_WAITING_BYTES = 8 * 1024 ** 2

type Waiting = { stream: Readable; begin(): void }

/** Stores the parts of one body, a few at a time and in their order. */
export type PartQueue = {
  /** Runs work on a part when its turn comes; undefined when the body was given up before. */
  add<Result>(stream: Readable, work: () => Promise<Result>): Promise<Result | undefined>
  /** Passes a body on, as fast as its parts are stored. */
  paced(body: AsyncIterable<Buffer>): AsyncIterable<Buffer>
}

/** @param isGivenUp whether the body was refused, so that no further part is stored. */
export const createPartQueue = (isGivenUp: () => boolean): PartQueue => {
  const waiting: Waiting[] = []
  let running = 0
  let wake: (() => void) | undefined

  const isFull = (): boolean =>
    waiting.reduce((bytes, { stream }) => bytes + stream.readableLength, 0) > MAX_WAITING_BYTES

  const turn = (stream: Readable): Promise<void> =>
    new Promise((resolve) => {
      if (running < AT_ONCE) {
        running++
        resolve()
      } else waiting.push({ stream, begin: resolve })
    })

  /** The next part takes the place over. */
  const pass = (): void => {
    const next = waiting.shift()
    if (next) next.begin()
    else running--
    wake?.()
  }

  return {
    add: async (stream, work) => {
      await turn(stream)
      try {
        return isGivenUp() ? undefined : await work()
      } finally {
        pass()
      }
    },
    paced: async function* (body) {
      for await (const chunk of body) {
        // Whatever runs while others wait has arrived whole, so it ends without the rest of the body.
        while (isFull())
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        yield chunk
      }
    },
  }
}
