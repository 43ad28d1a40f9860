import { SYSTEM } from '../../access/security/index.js'
import { convertersPoint } from '../../files/conversions/index.js'
import { isJoinable } from '../../files/media/index.js'
import type { BlobValue } from '../../model/properties/index.js'
import type { Contributions } from '../../platform/contributions/index.js'
import { fail } from '../../platform/errors/index.js'
import { videoConversionsPoint } from './conversion-points.js'
import { TRANSCODING } from './listeners-point.js'
import type { MediaTools } from './make.js'
import { filmValue } from './make-film.js'
import { BASE_NAME, namedAsSource } from './names.js'
import { callFor, type MediaResult, type MediaWork, madeFor } from './tasks.js'

const SEGMENT_SECONDS = 60

type VideoConversion = {
  converter: string
  parameters: { [name: string]: string }
  segmentSeconds: number
  /** Undefined where parameters decide. */
  mimeType: string | null
}

/** The converter and parameters of a named conversion of films. @throws badRequest for an unknown name. */
export const videoConversion = (contributions: Contributions, name: string): VideoConversion => {
  const conversion = contributions.get(videoConversionsPoint).get(name)
  if (!conversion) throw fail('badRequest', `'${name}' is not a registered video conversion.`)
  const { converter, height, segmentSeconds = SEGMENT_SECONDS } = conversion
  const mimeType = contributions.get(convertersPoint).get(converter)?.destinationMimeType ?? null
  return {
    converter,
    parameters: height === undefined ? {} : { height: String(height) },
    segmentSeconds,
    mimeType,
  }
}

const nameOf = ({ kind }: MediaWork): string => kind.slice(TRANSCODING.length)

const resultOf = async (
  work: MediaWork,
  content: BlobValue,
  { media, signal }: MediaTools,
): Promise<MediaResult> => {
  const info = await media.probe({ source: content, owner: SYSTEM, signal })
  return { transcoded: { name: nameOf(work), content: namedAsSource(content), info: filmValue(info) } }
}

/** One film, or a part of one, in the other format. */
export const convertPart = (
  work: MediaWork,
  source: BlobValue,
  { convert, contributions, signal, onProgress }: MediaTools,
): Promise<BlobValue> => {
  const { converter, parameters } = videoConversion(contributions, nameOf(work))
  return convert({
    ...{ source, ...madeFor(work), converter, parameters },
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  })
}

/** A film in another format: an item of `vid:transcodedVideos`. */
export const makeTranscoding = async (work: MediaWork, tools: MediaTools): Promise<MediaResult> =>
  resultOf(work, await convertPart(work, work.source, tools), tools)

/** The parts that a film is converted in. */
export type FilmParts = { segments: BlobValue[]; hasSound: boolean }

/** The parts of a long film; undefined for one that is converted as a whole. */
export const partsOf = async (work: MediaWork, tools: MediaTools): Promise<FilmParts | undefined> => {
  if (!work.kind.startsWith(TRANSCODING)) return undefined
  const { segmentSeconds: seconds, mimeType } = videoConversion(tools.contributions, nameOf(work))
  if (!isJoinable(mimeType)) return undefined
  const call = callFor(work, tools)
  const film = await tools.media.probe(call)
  if (film.duration <= 2 * seconds) return undefined
  const segments = await tools.media.cut(call, { seconds, film })
  if (segments.length < 2) return undefined
  return { segments, hasSound: film.streams.some(({ type }) => type === 'Audio') }
}

/** The sound of a film that is converted in parts. */
export const convertSound = (work: MediaWork, tools: MediaTools): Promise<BlobValue> => {
  const { mimeType } = videoConversion(tools.contributions, nameOf(work))
  return tools.media.encodeSound(callFor(work, tools), mimeType ?? '')
}

/** The film of its converted parts and sound. */
export const joinParts = async (
  work: MediaWork,
  { parts: segments, sound }: { parts: readonly BlobValue[]; sound?: BlobValue | undefined },
  tools: MediaTools,
): Promise<MediaResult> => {
  const { mimeType } = videoConversion(tools.contributions, nameOf(work))
  const extension = segments[0]?.name?.split('.').at(-1) ?? 'mp4'
  const film = { segments, sound, name: `${BASE_NAME}.${extension}`, mimeType: mimeType ?? '' }
  const joined = await tools.media.join({ ...madeFor(work), signal: tools.signal }, film)
  return resultOf(work, joined, tools)
}
