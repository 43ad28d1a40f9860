import { setTimeout as sleep } from 'node:timers/promises'
import type { BatchPlace, Uploads } from '../../core/files/uploads/index.js'
import type { Platform } from '../../runtime/index.js'
import { progressStream, type RequestContext } from '../edge/index.js'

/** Milliseconds between two looks, and looks without news until a comment keeps the connection open. */
const LOOK_MS = 500
const QUIET_LOOKS = 30

export const wantsEvents = (c: RequestContext): boolean =>
  /\btext\/event-stream\b/i.test(c.req.header('Accept') ?? '')

/** What is sent of a batch, as JSON; undefined when it is no longer there. */
type Look = Promise<string | undefined>

const lookAt = async (uploads: Uploads, place: BatchPlace): Look => {
  const files = await uploads.progress(place)
  return files && JSON.stringify(files.map(({ index, arrived, ...file }) => entityOf(index, arrived, file)))
}

const entityOf = (
  fileIdx: string,
  uploadedSize: number,
  { name, size, isComplete }: { name: string | null; size: number; isComplete: boolean },
) => ({ fileIdx, name, size, uploadedSize, isComplete })

/** Looks at batches; whoever asks while somebody looks, or soon after, gets the same answer. */
const createLooks = (uploads: Uploads) => {
  const looks = new Map<string, Look>()
  return (place: BatchPlace): Look => {
    const key = JSON.stringify([place.owner.name, place.batch])
    const known = looks.get(key)
    if (known) return known
    const look = lookAt(uploads, place)
    looks.set(key, look)
    const forget = () => looks.delete(key)
    // Not until its end: a large batch may take longer than that to look at.
    look.then(() => setTimeout(forget, LOOK_MS / 2).unref(), forget)
    return look
  }
}

/**
 * The progress of a batch as server-sent events: `progress` whenever something has changed, with all its files, and
 * `dropped` when the batch is no longer there, which is the end. The streams of a batch share the looks at it.
 */
export const createProgress = ({
  uploads,
  progressStreams,
}: Pick<Platform, 'uploads' | 'progressStreams'>): ((c: RequestContext, place: BatchPlace) => Response) => {
  const look = createLooks(uploads)
  return (c, place) =>
    progressStream(c, progressStreams, async (stream) => {
      let sent = ''
      for (let looks = 0; !stream.aborted; looks++) {
        const data = await look(place)
        if (data === undefined) return void (await stream.writeSSE({ event: 'dropped', data: '{}' }))
        if (data !== sent) {
          await stream.writeSSE({ event: 'progress', data })
          sent = data
        } else if (looks % QUIET_LOOKS === 0) await stream.write(': waiting\n\n')
        await sleep(LOOK_MS)
      }
    })
}
