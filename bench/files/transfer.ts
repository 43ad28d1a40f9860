import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '../harness/child.js'
import { AUTHORIZATION, call, createDocument } from '../harness/client.js'
import { alternate, timed } from '../harness/rounds.js'
import type { Figure, Measure, MeasureContext } from '../harness/types.js'
import { chunkCost, memoryOfParallel, newBatch } from './batches.js'
import { startTusd } from './tusd.js'
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

type Transfers = {
  toBatch(): Promise<void>
  fetched(): Promise<number>
  download(url: string): Promise<void>
}

const besideTusd = async (
  {
    atEnd,
    rounds,
    rate,
    content,
  }: Pick<MeasureContext, 'atEnd'> & {
    rounds: number
    rate(work: () => Promise<unknown>): Promise<number>
    content: Buffer
  },
  { toBatch, fetched, download }: Transfers,
): Promise<Figure[]> => {
  const program = process.env.ARCHIVOLT_BENCH_TUSD
  if (program === undefined) {
    process.stderr.write('ARCHIVOLT_BENCH_TUSD names no program: the rows of tusd are left out\n')
    return []
  }
  const tusd = await startTusd(program, atEnd)
  const up = await alternate(rounds, {
    ours: () => rate(toBatch),
    floor: () => rate(() => tusd.upload(content)),
  })
  const address = await tusd.upload(content)
  const down = await alternate(rounds, { ours: fetched, floor: () => rate(() => download(address)) })
  const goal = { least: 0.8 }
  return [
    { name: 'upload beside tusd', unit: 'MiB/s', ...up, goal },
    { name: 'download beside tusd', unit: 'MiB/s', ...down, goal },
  ]
}

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
  const measured = { atEnd, rounds, rate, content }
  const up = await alternate(rounds, {
    ours: () => rate(upload),
    floor: () => rate(() => call('PUT', floor.ready, { body: content })),
  })
  const toBatch = async (): Promise<void> => {
    content.writeDoubleLE(Math.random())
    const headers = { 'content-type': 'application/octet-stream' }
    await call('POST', `${await newBatch(servers.apiUrl)}/0`, { body: content, headers })
  }
  const ofBatch = await alternate(rounds, {
    ours: () => rate(toBatch),
    floor: () => rate(() => call('PUT', floor.ready, { body: content })),
  })
  const fetched = () => rate(() => download(`${servers.apiUrl}/nxfile/default/${id}/file:content`))
  const down = await alternate(rounds, { ours: fetched, floor: () => rate(() => download(floor.ready)) })
  const name = `${size / MEBIBYTE} MiB`
  const unit = 'MiB/s'
  const goal = { least: 0.8 }
  const chunk = await chunkCost(servers, size / MEBIBYTE)
  const parallel = { files: 10, mebibytes: isQuick ? 100 : 1024 }
  const memory = await memoryOfParallel(servers, parallel)
  const uploads = `${parallel.files} uploads of ${parallel.mebibytes} MiB at once`
  return [
    { name: `upload of ${name}`, unit, ...up, goal },
    { name: `upload of ${name} to a batch`, unit, ...ofBatch, goal },
    { name: `download of ${name}`, unit, ...down, goal },
    ...(await besideTusd(measured, { toBatch, fetched, download })),
    { name: 'a chunk of 1 MiB', unit: 'ms of processor', ours: chunk.kept, goal: { most: 3 } },
    { name: 'a chunk of 1 MiB, joined', unit: 'ms of processor', ours: chunk.joined },
    { name: `memory of the API, ${uploads}`, unit: 'MiB', ours: memory.peak },
    { name: 'of it added by them', unit: 'MiB', ours: memory.peak - memory.before, goal: { most: 250 } },
  ]
}
