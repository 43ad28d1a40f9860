import { createRequire } from 'node:module'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startTracing } from './start-tracing.js'

test('nothing is started, nor even loaded, when tracing is off', async () => {
  const logger = pino({ level: 'silent' })
  expect(
    await startTracing({ isEnabled: false, exporter: 'otlp' }, { service: 'test', logger }),
  ).toBeUndefined()
  const loaded = Object.keys(createRequire(import.meta.url).cache)
  expect(loaded.filter((file) => file.includes('@opentelemetry/api/'))).not.toEqual([])
  expect(loaded.filter((file) => /@opentelemetry\/(sdk|exporter)/.test(file))).toEqual([])
})
