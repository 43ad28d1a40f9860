import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { BlobValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { type Bench, inputGuards, videoExtensionOf } from '../../conversions/index.js'
import { type FilmInfo, probe } from './probe.js'

/** Milliseconds that encoding a film may take. */
export const FILM_MS = 3_600_000

/** Parts of one film, and films that are joined, at most. */
const MAX_FILMS = 100

/** Seconds, or `HH:MM:SS`, with a fraction or without. */
const TIME = /^(?:\d{1,6}|(?:\d{1,3}:)?[0-5]?\d:[0-5]\d)(?:\.\d{1,6})?$/

/** @throws badRequest naming a time that makes no sense. */
const seconds = (name: string, text: string): number => {
  const given = text.trim()
  if (!TIME.test(given))
    throw fail(
      'badRequest',
      `${name}: expected seconds or HH:MM:SS, got ${JSON.stringify(given.slice(0, 50))}`,
    )
  return given.split(':').reduce((total, part) => total * 60 + Number(part), 0)
}

const baseOf = ({ name }: BlobValue): string => (name ?? 'film').replace(/\.[^.]*$/, '')

/** As the file of a film is called, or MP4 where ffmpeg writes no such film. */
const formatOf = ({ name, 'mime-type': type }: BlobValue): { extension: string; mimeType: string } => {
  const extension = videoExtensionOf(extname(name ?? ''))
  return extension !== undefined && type?.startsWith('video/')
    ? { extension, mimeType: type }
    : { extension: 'mp4', mimeType: 'video/mp4' }
}

const encode = (bench: Bench, args: readonly string[], isOwn = false): Promise<string> =>
  bench.run('ffmpeg', ['-v', 'error', '-y', ...args], { timeoutMs: FILM_MS, isOwn })

const probeFilm = async (bench: Bench, path: string, { name, digest }: BlobValue): Promise<FilmInfo> => {
  const info = await probe(bench, path)
  if (info.width === 0) throw fail('conversionFailed', `${name ?? digest} has no moving picture`)
  return info
}

export type FilmSlice = { startAt: string; duration: string; encode: boolean }

/**
 * A part of a film.
 *
 * @param slice `startAt` and `duration` in seconds or as `HH:MM:SS`; without `encode` it is cut at key frames.
 * @throws badRequest for times that make no sense, or a part that begins behind the end.
 */
export const sliceFilm = async (bench: Bench, source: BlobValue, slice: FilmSlice): Promise<BlobValue> => {
  const [start, length] = [seconds('startAt', slice.startAt), seconds('duration', slice.duration)]
  const { duration } = await probeFilm(bench, bench.paths[0]!, source)
  if (start >= duration) throw fail('badRequest', `startAt: the film ends after ${duration} seconds`)
  if (length === 0) throw fail('badRequest', 'duration: must be more than 0')
  const { extension, mimeType } = formatOf(source)
  const output = join(bench.folder, `slice.${extension}`)
  await encode(bench, [
    ...['-ss', String(start), '-i', bench.paths[0]!, '-t', String(length)],
    ...[...(slice.encode ? [] : ['-c', 'copy']), output],
  ])
  return bench.keep(output, { name: `${baseOf(source)}.${extension}`, mimeType })
}

/**
 * A film in parts of about some seconds, cut at its key frames without encoding it again.
 *
 * @throws badRequest for more than 100 parts.
 */
export const sliceInParts = async (
  bench: Bench,
  source: BlobValue,
  { duration: asked }: Pick<FilmSlice, 'duration'>,
): Promise<BlobValue[]> => {
  const length = seconds('duration', asked)
  const { duration } = await probeFilm(bench, bench.paths[0]!, source)
  if (length === 0 || duration / length > MAX_FILMS)
    throw fail(
      'badRequest',
      `duration: at most ${MAX_FILMS} parts are made of a film, of ${duration} seconds`,
    )
  const { extension, mimeType } = formatOf(source)
  await encode(bench, [
    ...['-i', bench.paths[0]!, '-map', '0:v:0', '-map', '0:a:0?', '-c', 'copy', '-f', 'segment'],
    ...[
      '-segment_time',
      String(length),
      '-reset_timestamps',
      '1',
      join(bench.folder, `part-%03d.${extension}`),
    ],
  ])
  const parts: BlobValue[] = []
  for (const part of (await readdir(bench.folder)).filter((name) => name.startsWith('part-')).sort())
    parts.push(
      await bench.keep(join(bench.folder, part), { name: `${baseOf(source)}-${part.slice(5)}`, mimeType }),
    )
  return parts
}

const picturesOf = (films: readonly FilmInfo[], { width, height, frameRate }: FilmInfo): string[] => {
  const [wide, high] = [width + (width % 2), height + (height % 2)]
  return films.map(
    (_, index) =>
      `[${index}:v:0]scale=${wide}:${high}:force_original_aspect_ratio=decrease,pad=${wide}:${high}:-1:-1,setsar=1,fps=${frameRate || 25},format=yuv420p[v${index}]`,
  )
}

/**
 * Films one after the other, in the size and format of the first; with sound where all of them have one.
 *
 * @throws badRequest for fewer than two films, or more than 100.
 */
export const concatFilms = async (bench: Bench, sources: readonly BlobValue[]): Promise<BlobValue> => {
  const [first] = sources
  if (!first || sources.length < 2 || sources.length > MAX_FILMS)
    throw fail('badRequest', `input: from 2 to ${MAX_FILMS} films are joined, got ${sources.length}`)
  const films: FilmInfo[] = []
  for (const [index, source] of sources.entries())
    films.push(await probeFilm(bench, bench.paths[index]!, source))
  const hasSound = films.every(({ streams }) => streams.some(({ type }) => type === 'Audio'))
  const sounds = films.map(
    (_, index) => `[${index}:a:0]aresample=48000,aformat=channel_layouts=stereo[a${index}]`,
  )
  const inputs = films.map((_, index) => (hasSound ? `[v${index}][a${index}]` : `[v${index}]`)).join('')
  const outputs = hasSound ? '[v][a]' : '[v]'
  const joined = `${inputs}concat=n=${films.length}:v=1:a=${hasSound ? 1 : 0}${outputs}`
  const graph = [...picturesOf(films, films[0]!), ...(hasSound ? sounds : []), joined].join(';')
  const { extension, mimeType } = formatOf(first)
  const output = join(bench.folder, `joined.${extension}`)
  await encode(bench, [
    ...bench.paths.flatMap((path) => ['-i', path]),
    ...['-filter_complex', graph, '-map', '[v]', ...(hasSound ? ['-map', '[a]'] : []), output],
  ])
  return bench.keep(output, { name: `${baseOf(first)}.${extension}`, mimeType })
}

/**
 * A film with a picture on it. The bench holds the film, then the picture as the product has written it, a PNG.
 *
 * @param place pixels from the left and from above.
 */
export const watermarkFilm = async (
  bench: Bench,
  source: BlobValue,
  { x, y }: { x: number; y: number },
): Promise<BlobValue> => {
  const [film, picture] = bench.paths
  await probeFilm(bench, film!, source)
  const { extension, mimeType } = formatOf(source)
  const output = join(bench.folder, `marked.${extension}`)
  // The guards of films refuse pictures: they are written out for the film alone.
  await encode(
    bench,
    [
      ...[
        '-nostdin',
        ...inputGuards,
        '-i',
        film!,
        '-protocol_whitelist',
        'file',
        '-f',
        'png_pipe',
        '-i',
        picture!,
      ],
      ...['-filter_complex', `[0:v:0][1:v:0]overlay=${x}:${y}[v]`, '-map', '[v]', '-map', '0:a:0?', output],
    ],
    true,
  )
  return bench.keep(output, { name: `${baseOf(source)}.${extension}`, mimeType })
}
