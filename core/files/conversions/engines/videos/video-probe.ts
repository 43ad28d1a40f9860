import { z } from 'zod'
import { fail } from '../../../../platform/errors/index.js'
import type { VideoProbe } from './video-plan.js'

/** The fields of ffprobe's JSON (`-show_streams -show_format`) that are used. */
const probeSchema = z.object({
  streams: z
    .array(
      z.object({
        codec_type: z.string().optional(),
        width: z.number().optional(),
        height: z.number().optional(),
        side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
      }),
    )
    .default([]),
  format: z.object({ duration: z.coerce.number().optional() }).default({}),
})

/** Reads ffprobe's JSON. Fails with `conversionFailed` when there is no picture in the file. */
export const parseProbe = (json: string): VideoProbe => {
  const { streams, format } = parsed(json)
  const film = streams.find((stream) => stream.codec_type === 'video')
  if (!film?.width || !film.height) throw fail('conversionFailed', 'The file holds no video')
  const rotation = film.side_data_list.find((data) => data.rotation !== undefined)?.rotation ?? 0
  const isTurned = Math.abs(rotation) % 180 === 90
  return {
    width: isTurned ? film.height : film.width,
    height: isTurned ? film.width : film.height,
    durationSeconds: format.duration ?? 0,
  }
}

const parsed = (json: string): z.output<typeof probeSchema> => {
  try {
    return probeSchema.parse(JSON.parse(json))
  } catch (cause) {
    throw fail('conversionFailed', 'The film cannot be read: its description makes no sense', { cause })
  }
}
