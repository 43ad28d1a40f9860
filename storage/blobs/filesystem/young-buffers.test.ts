import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { passBuffers } from './young-buffers.js'

const MEBIBYTE = 1024 * 1024

test('buffers that have passed are freed by collections of young objects', async () => {
  const kinds: unknown[] = []
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as { detail?: unknown }[])
      kinds.push((entry.detail as { kind: number }).kind)
  })
  observer.observe({ entryTypes: ['gc'] })
  const collected = Array.from({ length: 100 }, () => passBuffers(MEBIBYTE)).filter(Boolean)
  await sleep(50)
  observer.disconnect()
  expect(collected.length).toBeGreaterThanOrEqual(4)
  const minor = kinds.filter((kind) => kind === constants.NODE_PERFORMANCE_GC_MINOR)
  expect(minor.length).toBeGreaterThanOrEqual(collected.length)
  expect('gc' in globalThis).toBe(false)
})
