import type { Conversions } from '../../files/conversions/index.js'
import type { Media } from '../../files/media/index.js'
import type { Contributions } from '../../platform/contributions/index.js'
import { fail } from '../../platform/errors/index.js'
import { TRANSCODING } from './listeners-point.js'
import { makeAudio, makeVideo } from './make-film.js'
import { makePicture, makeThumbnail } from './make-picture.js'
import { makeTranscoding } from './make-transcoding.js'
import { type MediaResult, type MediaWork, madeFor } from './tasks.js'

/** What things are made with. */
export type MediaTools = {
  media: Media
  convert: Conversions['convert']
  pictureViews: Conversions['pictureViews']
  contributions: Contributions
  signal?: AbortSignal | undefined
  /** From 0 to 1. */
  onProgress?: (fraction: number) => void
}

/** The text of a file of any type that a converter knows. */
const makeText = async (work: MediaWork, { convert, signal }: MediaTools): Promise<MediaResult> => {
  const text = await convert({
    ...{ source: work.source, type: 'text/plain', ...madeFor(work) },
    ...(signal && { signal }),
  })
  return { text }
}

const MAKERS: { readonly [kind: string]: (work: MediaWork, tools: MediaTools) => Promise<MediaResult> } = {
  picture: makePicture,
  thumbnail: makeThumbnail,
  video: makeVideo,
  audio: makeAudio,
  text: makeText,
}

/** Makes of a file what its kind says. Fails as conversions do. */
export const makeOf = (work: MediaWork, tools: MediaTools): Promise<MediaResult> => {
  if (work.kind.startsWith(TRANSCODING)) return makeTranscoding(work, tools)
  const make = MAKERS[work.kind]
  if (!make) throw fail('invalid', `Nothing is made of a file as ${work.kind}`)
  return make(work, tools)
}
