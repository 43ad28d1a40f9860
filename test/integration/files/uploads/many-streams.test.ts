import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createUploadBench, UPLOAD } from '../../support/upload-support.js'

const { call, newBatch, send } = await createUploadBench({ ARCHIVOLT_PROGRESS_STREAMS: '100' })

/** The most files and connections that this process has open while something goes on. */
const mostOpen = async (work: Promise<unknown>): Promise<number> => {
  let most = 0
  const looking = setInterval(() => {
    most = Math.max(most, readdirSync('/proc/self/fd').length)
  }, 2)
  await work
  clearInterval(looking)
  return most
}

// Each look at a batch opens a file for each of its files: together they were more than a process may open.
test('a hundred streams of one large batch are answered, and share their looks at it', async () => {
  const batch = await newBatch()
  const FILES = 150
  for (let index = 0; index < FILES; index++) await send(batch, index, 'x')
  const streams = Array.from({ length: 100 }, () =>
    call('GET', `${UPLOAD}/${batch}`, { headers: { Accept: 'text/event-stream' } }),
  )
  const lists = Array.from({ length: 30 }, () => call('GET', `${UPLOAD}/${batch}`))
  const before = readdirSync('/proc/self/fd').length
  expect(await mostOpen(Promise.all(lists))).toBeLessThan(before + 100)
  for (const { status, json } of await Promise.all(lists)) expect([status, json.length]).toEqual([200, FILES])
  await call('DELETE', `${UPLOAD}/${batch}`)
  for (const { status, text } of await Promise.all(streams)) {
    expect(status).toBe(200)
    const [first = ''] = text.split('\n\n')
    expect(JSON.parse(first.replace(/^event: progress\ndata: /, ''))).toHaveLength(FILES)
    expect(text.trimEnd()).toMatch(/event: dropped\ndata: \{\}$/)
  }
})
