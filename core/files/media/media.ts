import type { Principal } from '../../access/security/index.js'
import type { BlobValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import type { BlobOwner } from '../blobs/index.js'
import {
  type Bench,
  type BenchRequest,
  createSlots,
  FILMS,
  inSlot,
  type Workbench,
} from '../conversions/index.js'
import { concatFilms, type FilmSlice, sliceFilm, sliceInParts, watermarkFilm } from './films/edit.js'
import { type FilmInfo, probe } from './films/probe.js'
import { type Screenshot, screenshots, waveform } from './films/screenshots.js'
import { cutFilm, encodeSound, joinFilm } from './films/segments.js'
import { comparePictures, type PictureComparison, type PictureDifference } from './pictures/compare.js'
import { pictureFormatOf } from './pictures/format.js'
import { identify, type PictureInfo } from './pictures/identify.js'
import { type PictureMetadata, readMetadata } from './pictures/metadata.js'
import { readTags, type Tags, writeTags } from './tags/tags.js'

export type MediaOptions = { workbench: Workbench }

export type MediaCall = {
  source: BlobValue
  /** Whose what is stored is. */
  owner?: BlobOwner | undefined
  /** In whose turn it is made; default the owner's. */
  turnOf?: BlobOwner | undefined
  signal?: AbortSignal | undefined
}

/** What a user asks for. */
export type MediaRequest = { principal: Principal; signal?: AbortSignal | undefined }

/** What users make of films, and read and write in files of any kind; each fails as conversions do. */
export type MediaEdits = {
  sliceFilm(request: MediaRequest & { source: BlobValue; slice: FilmSlice }): Promise<BlobValue>
  sliceInParts(request: MediaRequest & { source: BlobValue; duration: string }): Promise<BlobValue[]>
  concatFilms(request: MediaRequest & { sources: readonly BlobValue[] }): Promise<BlobValue>
  /** @param request `picture` as a PNG of the product's; `x` and `y` in pixels from its left and from above. */
  watermarkFilm(
    request: MediaRequest & { source: BlobValue; picture: BlobValue; x: number; y: number },
  ): Promise<BlobValue>
  readTags(request: MediaRequest & { source: BlobValue; hasGroups: boolean }): Promise<Tags>
  writeTags(
    request: MediaRequest & { source: BlobValue; tags: { readonly [tag: string]: string } },
  ): Promise<BlobValue>
}

/** What the product finds out about pictures, films and sounds, and makes of them. Each fails as conversions do. */
export type Media = MediaEdits & {
  comparePictures(comparison: PictureComparison): Promise<PictureDifference>
  /** @throws conversionFailed for what is no picture. */
  describePicture(call: MediaCall): Promise<PictureInfo>
  readMetadata(call: MediaCall): Promise<PictureMetadata>
  probe(call: MediaCall): Promise<FilmInfo>
  /** @param shots `positions` in seconds, `side` the shorter one in pixels. */
  screenshots(
    call: MediaCall,
    shots: { info: FilmInfo; positions: readonly number[]; side?: number },
  ): Promise<Screenshot[]>
  waveform(call: MediaCall, name: string): Promise<BlobValue>
  /** The moving picture of a film in parts of about some seconds, cut at its key frames. */
  cut(
    call: MediaCall,
    cut: { seconds: number; film: Pick<FilmInfo, 'duration' | 'format'> },
  ): Promise<BlobValue[]>
  /** The sound of a film, as a film of the type has it. */
  encodeSound(call: MediaCall, mimeType: string): Promise<BlobValue>
  /** Joins encoded parts of a film, with its encoded sound where it has one. */
  join(
    call: Omit<MediaCall, 'source'>,
    joined: { segments: readonly BlobValue[]; sound: BlobValue | undefined; name: string; mimeType: string },
  ): Promise<BlobValue>
}

/** A workbench that may wait for somebody's turn. */
type Lending = <Result>(
  request: BenchRequest & Pick<MediaCall, 'turnOf'>,
  use: (bench: Bench) => Promise<Result>,
) => Promise<Result>

const onSource =
  (lend: Lending) =>
  <Result>({ source, ...request }: MediaCall, use: (bench: Bench) => Promise<Result>): Promise<Result> =>
    lend({ blobs: [source], ...request }, use)

const forUser =
  (lend: Lending) =>
  <Result>(
    { principal: owner, signal }: MediaRequest,
    blobs: readonly BlobValue[],
    use: (bench: Bench) => Promise<Result>,
  ): Promise<Result> =>
    lend({ blobs, owner, signal }, use)

export const createMedia = ({ workbench }: MediaOptions): Media => {
  const films = createSlots(FILMS)
  /** What works for long: users take turns with it, as with conversions of films. */
  const filming: Lending = ({ turnOf, ...request }, use) =>
    inSlot(films, { ...request, owner: turnOf ?? request.owner }, () => workbench(request, use))
  const [onBench, onFilm] = [onSource(workbench), onSource(filming)]
  const [asked, edit] = [forUser(workbench), forUser(filming)]
  return {
    sliceFilm: ({ source, slice, ...request }) =>
      edit(request, [source], (bench) => sliceFilm(bench, source, slice)),
    sliceInParts: ({ source, duration, ...request }) =>
      edit(request, [source], (bench) => sliceInParts(bench, source, { duration })),
    concatFilms: ({ sources, ...request }) => edit(request, sources, (bench) => concatFilms(bench, sources)),
    watermarkFilm: ({ source, picture, x, y, ...request }) =>
      edit(request, [source, picture], (bench) => watermarkFilm(bench, source, { x, y })),
    readTags: ({ source, hasGroups, ...request }) =>
      asked(request, [source], (bench) => readTags(bench, bench.paths[0]!, { hasGroups })),
    writeTags: ({ source, tags, ...request }) =>
      asked(request, [source], (bench) => writeTags(bench, source, tags)),
    comparePictures: (comparison) => comparePictures(workbench, comparison),
    describePicture: (call) =>
      onBench(call, async (bench) => {
        const path = bench.paths[0]!
        const format = await pictureFormatOf(path)
        if (!format) throw fail('conversionFailed', `${call.source.name ?? call.source.digest} is no picture`)
        return identify(bench, { path, format })
      }),
    readMetadata: (call) => onBench(call, (bench) => readMetadata(bench, bench.paths[0]!)),
    probe: (call) => onBench(call, (bench) => probe(bench, bench.paths[0]!)),
    screenshots: (call, shots) => onFilm(call, (bench) => screenshots(bench, shots)),
    cut: (call, cut) => onFilm(call, (bench) => cutFilm(bench, { source: call.source, ...cut })),
    encodeSound: (call, mimeType) => onFilm(call, (bench) => encodeSound(bench, mimeType)),
    join: (call, { segments, sound, ...film }) =>
      filming({ ...call, blobs: [...segments, ...(sound ? [sound] : [])] }, (bench) =>
        joinFilm(bench, { ...film, hasSound: sound !== undefined }),
      ),
    waveform: (call, name) => onFilm(call, (bench) => waveform(bench, name)),
  }
}
