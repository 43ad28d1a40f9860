import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { Bench } from '../../conversions/index.js'
import { FILM_MS } from './edit.js'

/** How sound is written into the containers of films that are joined; of the others none is cut. */
const SOUND: { readonly [mimeType: string]: { extension: string; options: readonly string[] } } = {
  'video/mp4': { extension: 'mp4', options: ['-c:a', 'aac', '-movflags', '+faststart'] },
  'video/webm': { extension: 'webm', options: ['-c:a', 'libopus'] },
}

/** Whether films of a type can be made of segments. */
export const isJoinable = (mimeType: string | null): boolean =>
  mimeType !== null && Object.hasOwn(SOUND, mimeType)

/** More would make more events than a run needs: the segments of a longer film are longer. */
const MAX_SEGMENTS = 100

/** Key frames cut a film a little earlier or later; one with many more segments is longer than it says. */
const TOO_MANY_SEGMENTS = 2 * MAX_SEGMENTS

/**
 * Cuts the moving picture of a film at key frames, without encoding it again, into parts of about some seconds; the
 * sound stays where it is.
 *
 * @returns none for a film that would have too many parts.
 */
export const cutFilm = async (
  bench: Bench,
  { source, seconds, duration }: { source: BlobValue; seconds: number; duration: number },
): Promise<BlobValue[]> => {
  const length = Math.max(seconds, Math.ceil(duration / MAX_SEGMENTS))
  const cut = [
    ...['-v', 'error', '-i', bench.paths[0]!, '-map', '0:v:0', '-c', 'copy', '-f', 'segment'],
    ...['-segment_format', 'matroska', '-segment_time', String(length), '-reset_timestamps', '1'],
    join(bench.folder, 'part-%05d.mkv'),
  ]
  await bench.run('ffmpeg', cut, { timeoutMs: FILM_MS })
  const parts = (await readdir(bench.folder)).filter((name) => name.startsWith('part-')).sort()
  const segments: BlobValue[] = []
  if (parts.length > TOO_MANY_SEGMENTS) return segments
  for (const part of parts)
    segments.push(
      await bench.keep(join(bench.folder, part), {
        name: `${source.name ?? 'film'}.${part}`,
        mimeType: 'video/x-matroska',
      }),
    )
  return segments
}

/**
 * Joins encoded segments of a film without loss, and adds the sound of the film that they were cut from. The bench
 * holds that film, then the segments in their order.
 */
export const joinFilm = async (
  bench: Bench,
  { name, mimeType }: { name: string; mimeType: string },
): Promise<BlobValue> => {
  const sound = SOUND[mimeType]
  if (!sound) throw fail('invalid', `Films of type ${mimeType} are not joined`)
  const [film, ...segments] = bench.paths
  const list = join(bench.folder, 'segments.txt')
  await writeFile(list, segments.map((path) => `file '${path}'\n`).join(''))
  const picture = join(bench.folder, `picture.${sound.extension}`)
  // The list is ours, and what it names is what we have encoded.
  const joined = ['-v', 'error', '-nostdin', '-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy', picture]
  await bench.run('ffmpeg', joined, { isOwn: true, timeoutMs: FILM_MS })
  const output = join(bench.folder, `film.${sound.extension}`)
  const withSound = [
    ...['-v', 'error', '-i', picture, '-i', film!, '-map', '0:v:0', '-map', '1:a:0?', '-c:v', 'copy'],
    ...[...sound.options, output],
  ]
  await bench.run('ffmpeg', withSound, { timeoutMs: FILM_MS })
  return bench.keep(output, { name, mimeType })
}
