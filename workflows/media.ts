import {
  ActivityFailure,
  CancellationScope,
  defineQuery,
  defineSignal,
  isCancellation,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow'
import type { MediaActivities, MediaInput } from '../activities/types.js'
import type { MediaResult } from '../core/content/media/index.js'
import type { BlobValue } from '../core/model/properties/index.js'

// A file that brings a tool down does so each time; a worker that is lost does not.
const { makeMedia, prepareMedia, convertFilmPart, convertFilmSound, joinFilmParts } =
  proxyActivities<MediaActivities>({
    startToCloseTimeout: '6 hours',
    heartbeatTimeout: '30s',
    retry: { initialInterval: '500ms', maximumAttempts: 5 },
  })

const { applyMedia, giveUpMedia } = proxyActivities<MediaActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '1 minute' },
})

/** How far a film is that is converted as a whole; its step sends it. */
const reported = defineSignal<[percent: number]>('progress')

/** How far a run is, in per cent; undefined where that is not known. */
const progress = defineQuery<number | undefined>('progress')

/** Per cent of the work that is done when all parts of a film are converted; to join them is the rest. */
const CONVERTED_PERCENT = 95

/** Says how far a run is, to whoever asks and in Temporal's UI. */
type Report = (percent: number, what: string) => void

/**
 * Parts of one film that are under way at a time. Each takes a place of a worker, even while it waits for a program: a
 * long film would take all of them, and keep everybody's pictures and steps from being begun.
 */
const PARTS_AT_ONCE = 2

/** Works on some at a time; after a failure no further one is begun. @returns in the order of the items. */
const someAtOnce = async <Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  let next = 0
  const follow = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++)
      try {
        results[at] = await work(items[at]!)
      } catch (error) {
        next = items.length
        throw error
      }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, follow))
  return results
}

/** Parts of a long film are converted by whichever workers are free; a lost one costs its part. */
const inParts = async (
  input: MediaInput,
  { segments, hasSound, report }: { segments: readonly BlobValue[]; hasSound: boolean; report: Report },
): Promise<MediaResult> => {
  const count = segments.length
  let done = 0
  report(0, `0 of ${count} parts`)
  const convert = async (part: BlobValue): Promise<BlobValue> => {
    const film = await convertFilmPart({ ...input, part })
    done++
    report(Math.floor((done / count) * CONVERTED_PERCENT), `${done} of ${count} parts`)
    return film
  }
  const most = patched('film-parts-in-turn') ? PARTS_AT_ONCE : count
  // The sound first: it takes the least, and holds nothing up.
  const [sound, parts] = await Promise.all([
    hasSound ? convertFilmSound(input) : undefined,
    someAtOnce(segments, most, convert),
  ])
  report(CONVERTED_PERCENT, `joining ${count} parts`)
  return joinFilmParts({ ...input, parts, ...(sound && { sound }) })
}

/**
 * Makes one thing of one file (its views, words, a transcoding …), and puts it on all documents that wait for it.
 *
 * @returns on how many.
 */
export async function media(input: MediaInput): Promise<{ documents: number }> {
  let percent: number | undefined
  const report: Report = (reached, what) => {
    percent = reached
    setCurrentDetails(`${what}, ${reached} %`)
  }
  setHandler(progress, () => percent)
  setHandler(reported, (reached) => report(reached, 'being made'))
  try {
    setCurrentDetails('looking for what was made before')
    const { result: known, segments, hasSound = false } = await prepareMedia(input)
    if (!known && !segments) setCurrentDetails('being made')
    const result =
      known ?? (segments ? await inParts(input, { segments, hasSound, report }) : await makeMedia(input))
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
