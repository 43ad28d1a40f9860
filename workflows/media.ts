import {
  ActivityFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow'
import type { MediaActivities, MediaInput } from '../activities/types.js'
import type { MediaResult } from '../core/content/media/index.js'
import type { BlobValue } from '../core/model/properties/index.js'

// A file that brings a tool down does so each time; a worker that is lost does not.
const { makeMedia, prepareMedia, convertFilmPart, joinFilmParts } = proxyActivities<MediaActivities>({
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '500ms', maximumAttempts: 5 },
})

const { applyMedia, giveUpMedia } = proxyActivities<MediaActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '1 minute' },
})

/** Parts of a long film are converted by whichever workers are free; a lost one costs its part. */
const inParts = async (input: MediaInput, parts: readonly BlobValue[]): Promise<MediaResult> => {
  let done = 0
  setCurrentDetails(`0 of ${parts.length} parts`)
  const converted = await Promise.all(
    parts.map(async (part) => {
      const film = await convertFilmPart({ ...input, part })
      done++
      setCurrentDetails(`${done} of ${parts.length} parts, ${Math.floor((done / parts.length) * 100)} %`)
      return film
    }),
  )
  return joinFilmParts({ ...input, parts: converted })
}

/**
 * Makes one thing of one file (its views, words, a transcoding …), and puts it on all documents that wait for it.
 *
 * @returns on how many.
 */
export async function media(input: MediaInput): Promise<{ documents: number }> {
  try {
    const { result: known, segments } = await prepareMedia(input)
    const result = known ?? (segments ? await inParts(input, segments) : await makeMedia(input))
    let documents = 0
    for (let count = -1; count !== 0; documents += count) count = await applyMedia({ ...input, result })
    setCurrentDetails(`on ${documents} documents`)
    return { documents }
  } catch (error) {
    if (isCancellation(error) || error instanceof ActivityFailure)
      await CancellationScope.nonCancellable(() => giveUpMedia({ ...input, message: messageOf(error) }))
    throw error
  }
}

const messageOf = (error: unknown): string => {
  if (isCancellation(error)) return 'It was cancelled'
  const cause = error instanceof ActivityFailure ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
