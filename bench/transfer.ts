import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './child.js'
import { AUTHORIZATION, call, createDocument } from './client.js'
import { alternate, timed } from './rounds.js'
import type { Measure } from './types.js'
import { uploadTo } from './upload.js'

const MEBIBYTE = 1024 * 1024

/** Reads a response to its end and discards it. @returns its length in bytes. */
const drain = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { authorization: AUTHORIZATION } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.once('end', () => resolve(bytes))
      response.once('error', reject)
    }).once('error', reject)
  })

/** A large file up and down against a plain file server that keeps a digest, too. */
export const measureTransfer: Measure = async ({ servers, isQuick, atEnd }) => {
  const size = (isQuick ? 16 : 256) * MEBIBYTE
  const content = randomBytes(size)
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-bench-files-'))
  atEnd(async () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'content')
  writeFileSync(file, content)
  const floor = await startChild('floors/files.ts', [file])
  atEnd(floor.stop)
  const id = await createDocument(servers.apiUrl, { parent: '/', type: 'File', name: 'bench-transfer' })
  const rate = async (work: () => Promise<unknown>): Promise<number> =>
    ((size / MEBIBYTE) * 1_000) / (await timed(work))
  const upload = async (): Promise<void> => {
    // What is stored already would not be written again.
    content.writeDoubleLE(Math.random())
    await uploadTo(servers.apiUrl, { id, name: 'content', type: 'application/octet-stream', content })
  }
  const download = async (url: string): Promise<void> => {
    const bytes = await drain(url)
    if (bytes !== size) throw new Error(`${url} answered with ${bytes} of ${size} bytes`)
  }
  const rounds = isQuick ? 1 : 3
  const up = await alternate(rounds, {
    ours: () => rate(upload),
    floor: () => rate(() => call('PUT', floor.ready, { body: content })),
  })
  const down = await alternate(rounds, {
    ours: () => rate(() => download(`${servers.apiUrl}/nxfile/default/${id}/file:content`)),
    floor: () => rate(() => download(floor.ready)),
  })
  const name = `${size / MEBIBYTE} MiB`
  return [
    { name: `upload of ${name}`, unit: 'MiB/s', ...up, goal: { least: 0.6 } },
    { name: `download of ${name}`, unit: 'MiB/s', ...down, goal: { least: 0.6 } },
  ]
}
