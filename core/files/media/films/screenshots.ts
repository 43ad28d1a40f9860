import { join } from 'node:path'
import type { BlobValue } from '../../../model/properties/index.js'
import type { Bench } from '../../conversions/index.js'
import type { FilmInfo } from './probe.js'

/** A picture of a film; `position` in seconds. */
export type Screenshot = { position: number; blob: BlobValue }

/** ffmpeg's option for a size: the other side follows, even. */
const scaled = ({ width, height }: FilmInfo, side: number): string =>
  height > width ? `scale=${side}:-2` : `scale=-2:${side}`

/**
 * Pictures of a film at some seconds, as JPEG named `12.50-seconds.jpeg`.
 *
 * @param side pixels of the shorter side; absent: as large as the film.
 */
export const screenshots = async (
  bench: Bench,
  { info, positions, side }: { info: FilmInfo; positions: readonly number[]; side?: number },
): Promise<Screenshot[]> => {
  const shots: Screenshot[] = []
  for (const [index, position] of positions.entries()) {
    const output = join(bench.folder, `shot-${side ?? 'full'}-${index}.jpeg`)
    const size = side === undefined ? [] : ['-vf', scaled(info, side)]
    await bench.run('ffmpeg', [
      ...['-v', 'error', '-y', '-ss', String(position), '-i', bench.paths[0]!],
      ...['-frames:v', '1', ...size, '-q:v', '3', '-f', 'image2', '-update', '1', output],
    ])
    const name = `${position.toFixed(2)}-seconds.jpeg`
    shots.push({ position, blob: await bench.keep(output, { name, mimeType: 'image/jpeg' }) })
  }
  return shots
}

/** A picture of a sound's loudness over its time. */
export const waveform = async (bench: Bench, name: string): Promise<BlobValue> => {
  const output = join(bench.folder, 'waveform.png')
  await bench.run('ffmpeg', [
    ...['-v', 'error', '-y', '-i', bench.paths[0]!, '-filter_complex', 'showwavespic=s=400x100'],
    ...['-frames:v', '1', '-f', 'image2', '-update', '1', output],
  ])
  return bench.keep(output, { name, mimeType: 'image/png' })
}
