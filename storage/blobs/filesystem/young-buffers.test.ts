import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { passBuffers } from './young-buffers.js'

const MEBIBYTE = 1024 * 1024

/** What `--expose-gc` gives a process from its start. */
const exposed = (): NodeJS.GCFunction => {
  setFlagsFromString('--expose-gc')
  const collect: NodeJS.GCFunction = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return collect
}

test('buffers that have passed are freed by collections of young objects', async () => {
  const kinds: unknown[] = []
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as { detail?: unknown }[])
      kinds.push((entry.detail as { kind: number }).kind)
  })
  observer.observe({ entryTypes: ['gc'] })
  const collect = exposed()
  const collected = Array.from({ length: 100 }, () => passBuffers(MEBIBYTE, collect)).filter(Boolean)
  await sleep(50)
  observer.disconnect()
  expect(collected.length).toBeGreaterThanOrEqual(4)
  const minor = kinds.filter((kind) => kind === constants.NODE_PERFORMANCE_GC_MINOR)
  expect(minor.length).toBeGreaterThanOrEqual(collected.length)
  expect('gc' in globalThis).toBe(false)
})

test('a process that is started without the collector collects nothing', () => {
  expect(passBuffers(100 * MEBIBYTE, undefined)).toBe(false)
})
