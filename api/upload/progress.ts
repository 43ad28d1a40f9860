import { setTimeout as sleep } from 'node:timers/promises'
import { streamSSE } from 'hono/streaming'
import type { FilePlace, UploadBatch, Uploads } from '../../core/files/uploads/index.js'
import type { RequestContext } from '../edge/index.js'

/** Milliseconds between two looks, and looks without news until a comment keeps the connection open. */
const LOOK_MS = 500
const QUIET_LOOKS = 30

export const wantsEvents = (c: RequestContext): boolean =>
  /\btext\/event-stream\b/i.test(c.req.header('Accept') ?? '')

type BatchPlace = Omit<FilePlace, 'index'>

const progressIn = async (uploads: Uploads, place: BatchPlace, { files }: UploadBatch): Promise<object[]> =>
  Promise.all(
    files.map(async ({ index, name, size, isComplete }) => ({
      fileIdx: index,
      name,
      size,
      uploadedSize: await uploads.arrived({ ...place, index }),
      isComplete,
    })),
  )

/**
 * The progress of a batch as server-sent events: `progress` whenever something has changed, with all its files, and
 * `dropped` when the batch is no longer there, which is the end.
 */
export const progressOf = (c: RequestContext, uploads: Uploads, place: BatchPlace): Response =>
  streamSSE(c, async (stream) => {
    let sent = ''
    for (let looks = 0; !stream.aborted; looks++) {
      const batch = await uploads.batch(place)
      if (!batch) return void (await stream.writeSSE({ event: 'dropped', data: '{}' }))
      const data = JSON.stringify(await progressIn(uploads, place, batch))
      if (data !== sent) {
        await stream.writeSSE({ event: 'progress', data })
        sent = data
      } else if (looks % QUIET_LOOKS === 0) await stream.write(': waiting\n\n')
      await sleep(LOOK_MS)
    }
  })
