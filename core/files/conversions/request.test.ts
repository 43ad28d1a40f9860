import { expect, test } from 'vitest'
import { createBlobValue } from '../blobs/index.js'
import { createConverterRegistry } from './registry.js'
import { planConversion } from './request.js'

const registry = createConverterRegistry(
  new Map([
    [
      'text2html',
      { engine: 'text' as const, sourceMimeTypes: ['text/plain'], destinationMimeType: 'text/html' },
    ],
    [
      'html2text',
      { engine: 'text' as const, sourceMimeTypes: ['text/html'], destinationMimeType: 'text/plain' },
    ],
  ]),
  { find: () => null, findProgram: () => null },
)
const source = createBlobValue({
  stored: { key: 'a'.repeat(64), digest: 'a'.repeat(32), digestAlgorithm: 'MD5', length: 1 },
  name: 'a.txt',
  mimeType: 'TEXT/Plain; charset=utf-8',
})

test.each([
  [{ converter: 'text2html' }],
  [{ type: 'text/html' }],
  [{ type: ' Text/HTML; charset=utf-8' }],
  [{ format: 'html' }],
  [{ format: 'htm' }],
  [{ converter: ' ', type: '', format: 'html' }],
  [{ converter: 'text2html', type: 'text/plain', format: 'pdf' }],
  [{ type: 'text/html', format: 'pdf' }],
])('%j is text2html', (target) => {
  const [step, ...others] = planConversion(registry, source, target)
  expect([step?.converter, step?.sourceMimeType, others]).toEqual(['text2html', 'text/plain', []])
})

test.each([
  [{}, 'No converter, type or format parameter specified'],
  [{ converter: '', type: ' ' }, 'No converter, type or format parameter specified'],
  [{ type: 'pdf' }, 'type: "pdf" is not a mime type'],
  [{ format: 'no-such-format' }, 'format: "no-such-format" is not a known file extension'],
])('%j is a bad request', (target, message) => {
  expect(() => planConversion(registry, source, target)).toThrow(
    expect.objectContaining({ status: 400, message }),
  )
})
