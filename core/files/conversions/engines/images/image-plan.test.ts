import { expect, test } from 'vitest'
import { planImage } from './image-plan.js'
import { GRAVITIES } from './watermark-plan.js'

const box = (width?: number, height?: number) => ({ width, height, fit: 'inside', withoutEnlargement: true })

test.each([
  ['image/png', undefined, {}, { mimeType: 'image/png', format: 'png', resize: null, depth: 8 }],
  ['image/svg+xml', undefined, {}, { mimeType: 'image/jpeg', format: 'jpeg' }],
  ['image/png', 'image/webp', {}, { mimeType: 'image/webp', format: 'webp' }],
  ['image/png', 'image/webp', { format: 'gif' }, { format: 'webp' }],
  ['image/png', undefined, { conversionFormat: 'JPG' }, { mimeType: 'image/jpeg', format: 'jpeg' }],
  ['image/png', undefined, { format: 'tif' }, { mimeType: 'image/tiff', format: 'tiff' }],
  ['image/png', undefined, { width: '100' }, { resize: box(100) }],
  ['image/png', undefined, { width: '100', height: '50', depth: '16' }, { resize: box(100, 50), depth: 16 }],
  ['image/png', undefined, { width: '', height: ' ' }, { resize: null, crop: null, angle: 0 }],
  [
    'image/png',
    undefined,
    { x: '5', width: '10', height: '20' },
    { crop: { left: 5, top: 0, width: 10, height: 20 }, resize: null },
  ],
  ['image/png', undefined, { angle: '-90' }, { angle: -90 }],
  ['image/png', undefined, { watermark: ' ' }, { watermark: null }],
  [
    'image/png',
    undefined,
    { watermark: 'Draft', gravity: 'Center', color: '#FF0000' },
    { watermark: { text: 'Draft', gravity: 'centre', opacity: 50, colour: '#ff0000' } },
  ],
])('%s to %s with %j', (sourceMimeType, destinationMimeType, parameters, expected) => {
  expect(planImage({ sourceMimeType, destinationMimeType, parameters })).toMatchObject(expected)
})

test.each([
  [{ width: '0' }, 'width: expected a whole number from 1 to 16383, got "0"'],
  [{ height: '-5' }, 'height: expected a whole number from 1 to 16383, got "-5"'],
  [{ width: '1e3' }, 'width: expected a whole number from 1 to 16383, got "1e3"'],
  [{ width: '99999' }, 'width: expected a whole number from 1 to 16383, got "99999"'],
  [{ angle: '400' }, 'angle: expected a whole number from -360 to 360, got "400"'],
  [{ x: '-1' }, 'x: expected a whole number from 0 to 16383, got "-1"'],
  [{ y: '1', width: '5' }, 'width and height: a part of a picture needs both'],
  [{ watermark: 'Draft', gravity: 'above' }, `gravity: expected one of ${GRAVITIES.join(', ')}, got "above"`],
  [
    { watermark: 'Draft', color: '"><span' },
    'color: expected a colour such as white or #ff0000, got "\\"><span"',
  ],
  [
    { watermark: 'Draft', color: 'blu' },
    'color: expected a colour such as white or #ff0000, got "blu", did you mean "blue"?',
  ],
  [{ watermark: 'Draft', opacity: '101' }, 'opacity: expected a whole number from 1 to 100, got "101"'],
  [{ watermark: 'a'.repeat(201) }, 'watermark: must have at most 200 characters, got 201'],
  [{ depth: '9' }, 'depth: expected 8 or 16, got 9'],
  [
    { conversionFormat: 'exe' },
    'conversionFormat: expected one of jpeg, png, webp, gif, tiff, avif, got "exe"',
  ],
])('%j is a bad request', (parameters, message) => {
  expect(() => planImage({ sourceMimeType: 'image/png', parameters: { ...parameters } })).toThrow(
    expect.objectContaining({ status: 400, message }),
  )
})
