import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { waitForChains } from './chains-ready.js'

const { signal } = new AbortController()
let close = (): void => undefined
afterEach(() => close())

/** An API whose readiness is each of these in turn, the last one for good. */
const apiThatReports = async (...reports: { [name: string]: string }[]) => {
  let asked = 0
  const server = createServer((_, response) => {
    const report = reports[Math.min(asked, reports.length - 1)] ?? {}
    asked += 1
    const dependencies = Object.entries(report).map(([name, state]) => ({ name, state }))
    response.end(JSON.stringify({ state: 'degraded', dependencies }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => server.close()
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : ''
  return { url: `http://127.0.0.1:${port}`, asked: () => asked }
}

test('an API that listens is not enough: Temporal and a worker have to be there', async () => {
  const away = { temporal: 'degraded', workers: 'degraded' }
  const idle = { temporal: 'up', workers: 'degraded' }
  const api = await apiThatReports(away, idle, { temporal: 'up', workers: 'up' })
  await waitForChains(api.url, { signal })
  expect(api.asked()).toBe(3)
})

test('names what is missing', async () => {
  const api = await apiThatReports({ temporal: 'up' })
  await expect(waitForChains(api.url, { signal, longestMs: 0 })).rejects.toThrow(/reports workers as not up/)
})
