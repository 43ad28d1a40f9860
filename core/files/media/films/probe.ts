import { z } from 'zod'
import { fail } from '../../../platform/errors/index.js'
import type { Bench } from '../../conversions/index.js'

/** As `vid:info` has it: seconds, pixels, kilobits a second (blobs-conversions.md §5). */
export type FilmInfo = {
  duration: number
  width: number
  height: number
  format: string
  frameRate: number
  streams: { type: 'Video' | 'Audio'; codec: string; bitRate: number; streamInfo: string }[]
}

const number = z.coerce.number().catch(0)

const schema = z.object({
  streams: z
    .array(
      z.object({
        codec_type: z.string().optional(),
        codec_name: z.string().default(''),
        codec_long_name: z.string().default(''),
        width: number,
        height: number,
        bit_rate: number,
        avg_frame_rate: z.string().default('0/1'),
        side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
      }),
    )
    .default([]),
  format: z.object({ duration: number, format_name: z.string().default('') }).optional(),
})

const rate = (text: string): number => {
  const [over, under] = text.split('/').map(Number)
  const value = over && under ? over / under : 0
  return Number.isFinite(value) ? Math.round(value * 1000) / 1000 : 0
}

/** The description that ffprobe's JSON gives; sides are swapped where a film is turned by 90 or 270 degrees. */
export const filmInfoOf = (json: string): FilmInfo => {
  const { streams, format } = schema.parse(JSON.parse(json))
  const film = streams.find(({ codec_type, width }) => codec_type === 'video' && width > 0)
  const rotation = film?.side_data_list.find((data) => data.rotation !== undefined)?.rotation ?? 0
  const isTurned = Math.abs(rotation) % 180 === 90
  return {
    duration: format?.duration ?? 0,
    width: (isTurned ? film?.height : film?.width) ?? 0,
    height: (isTurned ? film?.width : film?.height) ?? 0,
    format: format?.format_name ?? '',
    frameRate: rate(film?.avg_frame_rate ?? ''),
    streams: streams.flatMap(({ codec_type: type, codec_name: codec, codec_long_name, bit_rate }) =>
      type === 'video' || type === 'audio'
        ? [
            {
              type: type === 'video' ? ('Video' as const) : ('Audio' as const),
              codec,
              bitRate: Math.round(bit_rate / 1000),
              streamInfo: codec_long_name,
            },
          ]
        : [],
    ),
  }
}

/** What ffprobe says of a film or a sound. @throws conversionFailed for what it cannot read. */
export const probe = async (bench: Pick<Bench, 'run'>, path: string): Promise<FilmInfo> => {
  const json = await bench.run('ffprobe', [
    ...['-v', 'error', '-show_streams', '-show_format', '-of', 'json'],
    ...['-i', path],
  ])
  try {
    return filmInfoOf(json)
  } catch (cause) {
    throw fail('conversionFailed', 'The film cannot be read: its description makes no sense', { cause })
  }
}
