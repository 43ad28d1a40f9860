import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { Bench } from '../../conversions/index.js'
import { FILM_MS } from './edit.js'
import type { FilmInfo } from './probe.js'

type Joining = { extension: string; sound: readonly string[]; container: readonly string[] }

/** How films are joined, by type, as their converters write them; of others none is cut. */
const JOINING: { readonly [mimeType: string]: Joining } = {
  'video/mp4': { extension: 'mp4', sound: ['-c:a', 'aac'], container: ['-movflags', '+faststart'] },
  'video/webm': { extension: 'webm', sound: ['-c:a', 'libopus'], container: [] },
}

/** @throws invalid for films that are not joined. */
const joiningOf = (mimeType: string): Joining => {
  const joining = JOINING[mimeType]
  if (!joining) throw fail('invalid', `Films of type ${mimeType} are not joined`)
  return joining
}

/** Whether films of a type can be made of segments. */
export const isJoinable = (mimeType: string | null): boolean =>
  mimeType !== null && Object.hasOwn(JOINING, mimeType)

/** More would make more events than a run needs: the segments of a longer film are longer. */
const MAX_SEGMENTS = 100

/** Key frames cut a film a little earlier or later; one with many more segments is longer than it says. */
const TOO_MANY_SEGMENTS = 2 * MAX_SEGMENTS

type Container = { format: string; extension: string; mimeType: string }

/** Holds whatever ffmpeg reads, but does not say that a film is turned. */
const MATROSKA: Container = { format: 'matroska', extension: 'mkv', mimeType: 'video/x-matroska' }

/** Of films that telephones take, which lie on their side and say so. */
const QUICKTIME: Container = { format: 'mov', extension: 'mov', mimeType: 'video/quicktime' }

/** @param format as ffprobe names it: `mov,mp4,m4a,3gp,3g2,mj2`. */
const containerOf = (format: string): Container => (format.split(',').includes('mov') ? QUICKTIME : MATROSKA)

/**
 * Cuts the moving picture of a film at key frames, without encoding it again, into parts of about some seconds; the
 * sound stays where it is.
 *
 * @param film `format` as ffprobe names it, `duration` in seconds.
 * @returns none for a film that would have too many parts.
 */
export const cutFilm = async (
  bench: Bench,
  {
    source,
    seconds,
    film: { duration, format },
  }: { source: BlobValue; seconds: number; film: Pick<FilmInfo, 'duration' | 'format'> },
): Promise<BlobValue[]> => {
  const length = Math.max(seconds, Math.ceil(duration / MAX_SEGMENTS))
  const container = containerOf(format)
  const cut = [
    ...['-v', 'error', '-i', bench.paths[0]!, '-map', '0:v:0', '-c', 'copy', '-f', 'segment'],
    ...['-segment_format', container.format, '-segment_time', String(length), '-reset_timestamps', '1'],
    join(bench.folder, `part-%05d.${container.extension}`),
  ]
  await bench.run('ffmpeg', cut, { timeoutMs: FILM_MS })
  const parts = (await readdir(bench.folder)).filter((name) => name.startsWith('part-')).sort()
  const segments: BlobValue[] = []
  if (parts.length > TOO_MANY_SEGMENTS) return segments
  for (const part of parts)
    segments.push(
      await bench.keep(join(bench.folder, part), {
        name: `${source.name ?? 'film'}.${part}`,
        mimeType: container.mimeType,
      }),
    )
  return segments
}

/** The first sound of a film, encoded as the joined film has it. The bench holds the film. */
export const encodeSound = async (bench: Bench, mimeType: string): Promise<BlobValue> => {
  const { extension, sound } = joiningOf(mimeType)
  const output = join(bench.folder, `sound.${extension}`)
  const encoded = ['-v', 'error', '-i', bench.paths[0]!, '-map', '0:a:0', '-vn', ...sound, output]
  await bench.run('ffmpeg', encoded, { timeoutMs: FILM_MS })
  return bench.keep(output, { name: `sound.${extension}`, mimeType })
}

/**
 * Joins encoded segments of a film without loss, and its encoded sound. The bench holds the segments in their order,
 * then the sound of a film that has one.
 */
export const joinFilm = async (
  bench: Bench,
  { name, mimeType, hasSound }: { name: string; mimeType: string; hasSound: boolean },
): Promise<BlobValue> => {
  const { extension, container } = joiningOf(mimeType)
  const segments = hasSound ? bench.paths.slice(0, -1) : bench.paths
  const sound = hasSound ? ['-i', bench.paths.at(-1)!, '-map', '0:v:0', '-map', '1:a:0'] : []
  const list = join(bench.folder, 'segments.txt')
  await writeFile(list, segments.map((path) => `file '${path}'\n`).join(''))
  const output = join(bench.folder, `film.${extension}`)
  const joined = [
    ...['-v', 'error', '-nostdin', '-f', 'concat', '-safe', '0', '-i', list, ...sound],
    ...['-c', 'copy', ...container, output],
  ]
  // The list is ours, and what it names is what we have encoded.
  await bench.run('ffmpeg', joined, { isOwn: true, timeoutMs: FILM_MS })
  return bench.keep(output, { name, mimeType })
}
