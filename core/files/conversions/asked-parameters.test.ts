import { expect, test } from 'vitest'
import { createBlobValue } from '../blobs/index.js'
import { askedParameters } from './asked-parameters.js'
import { commandLineOf } from './command-lines/command-line.js'
import type { ConverterEntry } from './converter-schema.js'
import { createConverterRegistry } from './registry.js'

const entries: Record<string, ConverterEntry> = {
  pictureResize: { engine: 'image', sourceMimeTypes: ['image/*'] },
  toMp4: { engine: 'video', sourceMimeTypes: ['video/*'], destinationMimeType: 'video/mp4' },
  pdf2text: { engine: 'pdfToText', sourceMimeTypes: ['application/pdf'], destinationMimeType: 'text/plain' },
  firstLines: {
    engine: 'command',
    sourceMimeTypes: ['text/plain'],
    destinationMimeType: 'text/x-lines',
    parameters: { CommandLineName: 'head' },
  },
}
const head = { commandLine: 'head', parameterString: '-n #{count} #{sourceFilePath}' }
const nothingInstalled = { find: () => null, findProgram: () => null }
const registry = createConverterRegistry(
  new Map(Object.entries(entries)),
  nothingInstalled,
  new Map([['head', commandLineOf('head', head, false)]]),
)

const asked = (mimeType: string, target: object, given: { [name: string]: string }) =>
  askedParameters(
    registry,
    createBlobValue({
      stored: { key: 'a'.repeat(64), digest: 'a'.repeat(32), digestAlgorithm: 'MD5', length: 1 },
      name: 'a',
      mimeType,
    }),
    { target, given },
  )

test.each<[string, string, { [name: string]: string }, string[]]>([
  ['image/png', 'pictureResize', { width: '5', conversionFormat: 'webp' }, []],
  [
    'image/png',
    'pictureResize',
    { widht: '5' },
    ['unknown parameter "widht" of pictureResize, did you mean "width"?'],
  ],
  ['video/avi', 'toMp4', { width: '5' }, ['unknown parameter "width" of toMp4; known are height']],
  ['application/pdf', 'pdf2text', { width: '5' }, ['unknown parameter "width" of pdf2text; it takes none']],
  ['text/plain', 'firstLines', { count: '5', targetFileName: 'a.txt' }, []],
  [
    'text/plain',
    'firstLines',
    { sourceFilePath: '/etc' },
    ['unknown parameter "sourceFilePath" of firstLines; known are count, targetFileName'],
  ],
])('of a %s, %s with %j', (mimeType, converter, given, unknown) => {
  expect(asked(mimeType, { converter }, given)).toEqual({ unknown })
})

test.each<[string, string, { [name: string]: string }, string]>([
  ['image/png', 'pictureResize', { width: 'abc' }, 'width: expected a whole number'],
  ['image/png', 'pictureResize', { conversionFormat: 'bmp' }, 'conversionFormat: expected one of'],
  ['video/avi', 'toMp4', { height: '-1' }, 'height: expected a whole number'],
])('of a %s, %s refuses %j', (mimeType, converter, given, message) => {
  const { refusal } = asked(mimeType, { converter }, given)
  expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining(message) })
})

test('of a conversion that cannot be planned nothing is said: it says so itself', () => {
  expect(asked('image/png', { converter: 'nothing' }, { width: 'abc' })).toEqual({ unknown: [] })
  expect(asked('image/png', { type: 'video/mp4' }, { width: 'abc' })).toEqual({ unknown: [] })
})
