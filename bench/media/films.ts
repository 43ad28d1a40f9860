import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { call, contribute, LEARN_MS } from '../harness/client.js'
import { alternate, timed } from '../harness/rounds.js'
import type { Measure, MeasureContext } from '../harness/types.js'
import { makeFilm, run, storeFiles } from './files.js'

const HEIGHT = 480

/** As the converter to MP4 calls ffmpeg. */
const bare = (film: string, output: string): string[] => [
  ...['-v', 'error', '-y', '-nostdin', '-i', film, '-c:v', 'libx264', '-c:a', 'aac'],
  ...['-vf', `scale=854:${HEIGHT}`, '-map', '0:v:0', '-map', '0:a:0?', '-pix_fmt', 'yuv420p'],
  ...['-preset', 'veryfast', '-movflags', '+faststart', '-f', 'mp4', output],
]

/** Films alone, and of these one format, in parts of some seconds. */
const onlyTranscoding = async (apiUrl: string, segmentSeconds: number): Promise<void> => {
  await contribute(apiUrl, 'mediaListeners/videos', '{ makes: video, enabled: false }')
  await contribute(apiUrl, 'automaticVideoConversions/WebM%20480p', '{ enabled: false }')
  await contribute(
    apiUrl,
    'videoConversions/MP4%20480p',
    `{ converter: convertToMP4, height: ${HEIGHT}, segmentSeconds: ${segmentSeconds} }`,
  )
  await pause(LEARN_MS)
}

/** @returns a function that waits for the run of a new file, and returns how long it took in ms. */
const followRuns = async ({ servers, atEnd }: MeasureContext) => {
  const connection = await Connection.connect({ address: servers.temporalAddress })
  atEnd(() => connection.close())
  const client = new Client({ connection })
  const known = new Set<string>()
  return async (): Promise<number> => {
    for (;;) {
      for await (const { workflowId, startTime, closeTime, status } of client.workflow.list({
        query: 'WorkflowType = "media"',
      })) {
        if (!closeTime || known.has(workflowId) || !workflowId.includes('transcoding')) continue
        known.add(workflowId)
        if (status.name !== 'COMPLETED') throw new Error(`The transcoding ended as ${status.name}`)
        return closeTime.getTime() - startTime.getTime()
      }
      await pause(200)
    }
  }
}

/** A film to MP4: by a request, and as a run in parts, beside ffmpeg with the same arguments. */
export const measureFilms: Measure = async (context) => {
  const { servers, isQuick, atEnd } = context
  const { apiUrl } = servers
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-bench-films-'))
  atEnd(async () => rmSync(folder, { recursive: true, force: true }))
  const seconds = isQuick ? 36 : 180
  const film = join(folder, 'film.mp4')
  await makeFilm(film, seconds)
  await onlyTranscoding(apiUrl, seconds / 6)
  const floor = () => timed(() => run('ffmpeg', bare(film, join(folder, 'bare.mp4'))))
  const rounds = isQuick ? 1 : 3
  let round = 0
  const store = async (type: string): Promise<string> => {
    const [id] = await storeFiles(apiUrl, {
      paths: [film],
      mimeType: 'video/mp4',
      round: `film-${round++}`,
      type,
    })
    return id ?? ''
  }
  const whole = await alternate(rounds, {
    ours: async () => {
      const id = await store('File')
      const target = `@convert?converter=convertToMP4&height=${HEIGHT}`
      return timed(() => call('GET', `${apiUrl}/api/v1/id/${id}/${target}`))
    },
    floor,
  })
  const nextRun = await followRuns(context)
  const parts = await alternate(rounds, {
    ours: async () => {
      // Bytes of its own: what was made of a film is kept for the next that is the same.
      await makeFilm(film, seconds + ++round / 25)
      await store('Video')
      return nextRun()
    },
    floor,
  })
  return [
    { name: 'a film to MP4', unit: 'ms', ...whole, goal: { most: 1.05 } },
    { name: 'the same as a run in six parts', unit: 'ms', ...parts, goal: { most: 1.1 } },
  ]
}
