import type { BlobValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import type { BlobOwner } from '../blobs/index.js'
import type { Workbench } from '../conversions/index.js'
import { type FilmInfo, probe } from './films/probe.js'
import { type Screenshot, screenshots, waveform } from './films/screenshots.js'
import { cutFilm, joinFilm } from './films/segments.js'
import { comparePictures, type PictureComparison, type PictureDifference } from './pictures/compare.js'
import { pictureFormatOf } from './pictures/format.js'
import { identify, type PictureInfo } from './pictures/identify.js'
import { type PictureMetadata, readMetadata } from './pictures/metadata.js'

export type MediaOptions = { workbench: Workbench }

export type MediaCall = {
  source: BlobValue
  /** Whose what is stored is. */
  owner?: BlobOwner | undefined
  signal?: AbortSignal | undefined
}

/** What the product finds out about pictures, films and sounds, and makes of them. Each fails as conversions do. */
export type Media = {
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
  cut(call: MediaCall, cut: { seconds: number; duration: number }): Promise<BlobValue[]>
  /** Joins encoded parts of a film, with its sound. */
  join(
    call: MediaCall,
    joined: { segments: readonly BlobValue[]; name: string; mimeType: string },
  ): Promise<BlobValue>
}

export const createMedia = ({ workbench }: MediaOptions): Media => {
  const onBench = <Result>(
    { source, owner, signal }: MediaCall,
    use: Parameters<typeof workbench<Result>>[1],
  ) => workbench({ blobs: [source], owner, signal }, use)
  return {
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
    screenshots: (call, shots) => onBench(call, (bench) => screenshots(bench, shots)),
    cut: (call, cut) => onBench(call, (bench) => cutFilm(bench, { source: call.source, ...cut })),
    join: ({ source, owner, signal }, { segments, ...film }) =>
      workbench({ blobs: [source, ...segments], owner, signal }, (bench) => joinFilm(bench, film)),
    waveform: (call, name) => onBench(call, (bench) => waveform(bench, name)),
  }
}
