import type { BlobValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import type { BlobOwner } from '../blobs/index.js'
import type { Workbench } from '../conversions/index.js'
import { type FilmInfo, probe } from './films/probe.js'
import { type Screenshot, screenshots, waveform } from './films/screenshots.js'
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
}

export const createMedia = ({ workbench }: MediaOptions): Media => {
  const onBench = <Result>({ source, owner, signal }: MediaCall, use: Parameters<typeof workbench<Result>>[1]) =>
    workbench({ blobs: [source], owner, signal }, use)
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
    waveform: (call, name) => onBench(call, (bench) => waveform(bench, name)),
  }
}
