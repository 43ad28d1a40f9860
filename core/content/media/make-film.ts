import type { FilmInfo } from '../../files/media/index.js'
import type { PropertyValue } from '../../model/properties/index.js'
import { videoPreviewsOf } from './conversion-points.js'
import type { MediaTools } from './make.js'
import { viewOf } from './make-picture.js'
import { FILE_NAME } from './names.js'
import { callFor, type MediaResult, type MediaWork } from './tasks.js'

/** As blobs-conversions.md §5 has them. */
const STORYBOARD_SIDE = 80
const SMALL_SIDE = 280

/** The value of `vid:info`. */
export const filmValue = ({ streams, ...info }: FilmInfo): { [field: string]: PropertyValue } => ({
  ...info,
  streams: streams.map((stream) => ({ ...stream })),
})

const hundredths = (seconds: number): number => Math.floor(seconds * 100) / 100

const storyboardOf = async (work: MediaWork, info: FilmInfo, tools: MediaTools) => {
  const { storyboardSeconds, storyboardCount: length } = videoPreviewsOf(tools.contributions)
  if (storyboardSeconds < 0 || info.duration < storyboardSeconds) return []
  const positions = Array.from({ length }, (_, index) => hundredths((index * info.duration) / length))
  const shots = await tools.media.screenshots(callFor(work, tools), {
    info,
    positions,
    side: STORYBOARD_SIDE,
  })
  return shots.map(({ position, blob }, index) => ({
    content: blob,
    timecode: position,
    comment: `${FILE_NAME} ${index}`,
  }))
}

const previewsOf = async (work: MediaWork, info: FilmInfo, tools: MediaTools) => {
  const positions = [hundredths(info.duration * videoPreviewsOf(tools.contributions).previewPart)]
  const call = callFor(work, tools)
  const [small] = await tools.media.screenshots(call, { info, positions, side: SMALL_SIDE })
  const [full] = await tools.media.screenshots(call, { info, positions })
  const views: PropertyValue[] = []
  if (small) views.push(await viewOf({ name: 'Small' }, small.blob, tools))
  if (full) views.push(await viewOf({ name: 'StaticPlayerView' }, full.blob, tools))
  return views
}

/** What a film is, its previews and its storyboard. */
export const makeVideo = async (work: MediaWork, tools: MediaTools): Promise<MediaResult> => {
  const info = await tools.media.probe(callFor(work, tools))
  const isSeen = info.width > 0
  const views = isSeen ? await previewsOf(work, info, tools) : []
  tools.onProgress?.(1 / 3)
  const storyboard = isSeen ? await storyboardOf(work, info, tools) : []
  const properties = { 'vid:info': filmValue(info), 'vid:storyboard': storyboard, 'picture:views': views }
  return { properties }
}

/** How long a sound takes, and a picture of its loudness. */
export const makeAudio = async (work: MediaWork, tools: MediaTools): Promise<MediaResult> => {
  const call = callFor(work, tools)
  const { duration } = await tools.media.probe(call)
  const thumbnail = await tools.media.waveform(call, 'waveform.png')
  return {
    properties: { 'aud:duration': Math.round(duration), 'thumb:thumbnail': thumbnail },
    facet: 'Thumbnail',
  }
}
