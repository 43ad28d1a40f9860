import { expect, test } from 'vitest'
import { converterSchema, convertersPoint } from './converter-schema.js'

const check = (content: unknown) =>
  convertersPoint.check?.(converterSchema.parse(content), { name: 'x', all: new Map() })

test.each([
  [
    {
      engine: 'office',
      sourceMimeTypes: ['*', 'image/*', 'text/plain'],
      destinationMimeType: 'application/pdf',
    },
  ],
  [{ engine: 'image', sourceMimeTypes: ['image/*'], parameters: { width: 100, isCropped: true } }],
  [{ conversionSteps: ['a', 'text/html'] }],
])('%j is a converter', (content) => {
  expect(check(content)).toEqual([])
})

test.each([
  [{}, 'expected either engine or conversionSteps'],
  [{ engine: 'text', conversionSteps: ['a'] }, 'expected either engine or conversionSteps'],
  [{ engine: 'text' }, 'expected sourceMimeTypes beside engine'],
])('%j is incomplete', (content, message) => {
  expect(check(content)).toEqual([{ path: [], message }])
})

test.each([
  [{ engine: 'magic' }],
  [{ sourceMimeTypes: ['pdf'] }],
  [{ destinationMimeType: 'image/*' }],
  [{ conversionSteps: [] }],
  [{ unknown: 1 }],
])('%j is refused', (content) => {
  expect(converterSchema.safeParse(content).success).toBe(false)
})

test('steps that name converters are references, those that name types are not', () => {
  expect(convertersPoint.references?.({ conversionSteps: ['a', 'text/html', 'b'] })).toEqual([
    { path: ['conversionSteps', 0], point: 'converters', name: 'a' },
    { path: ['conversionSteps', 2], point: 'converters', name: 'b' },
  ])
})
