import { describe, expect, test } from 'vitest'
import { parseSettings } from './index.js'

const DATABASE_URL = 'postgres://localhost/archivolt'
const ADDRESS = 'http://localhost:4318'

describe('tracing', () => {
  test.each([
    ['off by default', {}, false],
    ['on with the address of a collector', { OTEL_EXPORTER_OTLP_ENDPOINT: ADDRESS }, true],
    ['on with the address for traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${ADDRESS}/v1/traces` }, true],
    [
      'off when the SDK is disabled',
      { OTEL_EXPORTER_OTLP_ENDPOINT: ADDRESS, OTEL_SDK_DISABLED: 'TRUE' },
      false,
    ],
    ['off without exporter', { OTEL_EXPORTER_OTLP_ENDPOINT: ADDRESS, OTEL_TRACES_EXPORTER: 'none' }, false],
    ['on for the console', { OTEL_TRACES_EXPORTER: 'console' }, true],
    [
      'off for a console that is disabled',
      { OTEL_TRACES_EXPORTER: 'console', OTEL_SDK_DISABLED: 'true' },
      false,
    ],
  ])('is %s', (_, variables, isEnabled) => {
    expect(parseSettings({ DATABASE_URL, ...variables }).tracing.isEnabled).toBe(isEnabled)
  })

  test.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /OTEL_EXPORTER_OTLP_PROTOCOL: .*4318/],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /OTEL_TRACES_EXPORTER/],
  ])('refuses %o', (variables, message) => {
    expect(() => parseSettings({ DATABASE_URL, ...variables })).toThrow(message)
  })
})
