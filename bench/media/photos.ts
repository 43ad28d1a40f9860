import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { call } from '../harness/client.js'
import { alternate } from '../harness/rounds.js'
import type { Measure } from '../harness/types.js'
import { eachOf, makePhotos, storeFiles } from './files.js'

const SIDE = 300

/** Requests, and pictures of the floor, at once. */
const CALLERS = 8

/** Thumbnails of photos over HTTP, a run each, beside sharp in one process. */
export const measurePhotos: Measure = async ({ servers, isQuick, atEnd }) => {
  const { apiUrl } = servers
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-bench-photos-'))
  atEnd(async () => rmSync(folder, { recursive: true, force: true }))
  const paths = await makePhotos(folder, isQuick ? 50 : 500)
  const rate = async (work: () => Promise<void>): Promise<number> => {
    const started = performance.now()
    await work()
    return (paths.length * 1_000) / (performance.now() - started)
  }
  const target = `@convert?converter=pictureToJpeg&width=${SIDE}&height=${SIDE}`
  let round = 0
  const rates = await alternate(isQuick ? 1 : 3, {
    ours: async () => {
      const ids = await storeFiles(apiUrl, { paths, mimeType: 'image/jpeg', round: `photo-${round++}` })
      return rate(() => eachOf(ids, CALLERS, (id) => call('GET', `${apiUrl}/api/v1/id/${id}/${target}`)))
    },
    floor: () =>
      rate(() =>
        eachOf(paths, CALLERS, (path) =>
          sharp(path)
            .autoOrient()
            .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
            .keepIccProfile()
            .jpeg()
            .toFile(`${path}.small`),
        ),
      ),
  })
  return [{ name: `thumbnails of ${paths.length} photos`, unit: 'a second', ...rates, goal: { least: 0.85 } }]
}
