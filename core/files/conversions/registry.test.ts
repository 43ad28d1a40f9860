import { expect, test } from 'vitest'
import type { ConverterEntry } from './converter-schema.js'
import { createConverterRegistry } from './registry.js'
import type { ToolName } from './tools/tools.js'

const entries: Record<string, ConverterEntry> = {
  office2pdf: {
    engine: 'office',
    sourceMimeTypes: ['text/plain', 'text/html', 'application/msword'],
    destinationMimeType: 'application/pdf',
    bypassIfSameMimeType: true,
  },
  office2html: {
    engine: 'office',
    sourceMimeTypes: ['text/plain', 'application/msword', 'application/rtf'],
    destinationMimeType: 'text/html',
  },
  plain2html: { engine: 'text', sourceMimeTypes: ['text/plain'], destinationMimeType: 'text/html' },
  any2text: { sourceMimeTypes: ['*'], conversionSteps: ['text/plain'] },
  pdf2text: { engine: 'pdfToText', sourceMimeTypes: ['application/pdf'], destinationMimeType: 'text/plain' },
  slides2text: { conversionSteps: ['office2pdf', 'pdf2text'], parameters: { quality: '2' } },
  thumbnail: { engine: 'image', sourceMimeTypes: ['image/*'], parameters: { width: '100', depth: '8' } },
  small: { conversionSteps: ['thumbnail'], parameters: { width: '50' } },
  anyImage2png: { engine: 'image', sourceMimeTypes: ['image/*'], destinationMimeType: 'image/png' },
  gif2png: { engine: 'image', sourceMimeTypes: ['image/gif'], destinationMimeType: 'image/png' },
  image2png: { engine: 'image', sourceMimeTypes: ['image/*'], destinationMimeType: 'image/png' },
  mail2pdf: {
    sourceMimeTypes: ['message/rfc822', 'video/mp4'],
    conversionSteps: ['text/html', 'office2pdf'],
  },
  pdf2image: { engine: 'command', sourceMimeTypes: ['application/pdf'], destinationMimeType: 'image/x-ppm' },
  image2gif: { engine: 'command', sourceMimeTypes: ['image/x-ppm'], destinationMimeType: 'image/gif' },
  detour: { engine: 'text', sourceMimeTypes: ['text/plain'], destinationMimeType: 'text/x-detour' },
  ring: { sourceMimeTypes: ['text/plain'], conversionSteps: ['ring2'] },
  ring2: { sourceMimeTypes: ['text/plain'], conversionSteps: ['ring'] },
}

const registryWithout = (...missing: ToolName[]) =>
  createConverterRegistry(new Map(Object.entries(entries)), {
    find: (name) => (missing.includes(name) ? null : `/bin/${name}`),
    findProgram: (name) => `/bin/${name}`,
  })
const registry = registryWithout()

test.each([
  ['the last registered of two equals', 'image/jpeg', 'image/png', ['image2png']],
  ['an exact type before type/*', 'image/gif', 'image/png', ['gif2png']],
  ['the later of two exact types', 'text/plain', 'text/html', ['plain2html']],
  ['two hops by way of html', 'application/rtf', 'application/pdf', ['office2html', 'office2pdf']],
  ['an exact type before *', 'application/pdf', 'text/plain', ['pdf2text']],
  [
    'the shortest chain where no pair fits',
    'text/plain',
    'image/gif',
    ['office2pdf', 'pdf2image', 'image2gif'],
  ],
  ['nothing for the same type', 'application/pdf', 'application/pdf', []],
])('by mime type: %s', (_case, source, destination, names) => {
  expect(registry.stepsByMimeType(source, destination).map((step) => step.converter)).toEqual(names)
})

test.each([
  ['an engine', 'office2pdf', 'application/msword', ['office2pdf']],
  ['the source as it is', 'office2pdf', 'application/pdf', []],
  ['a chain of names', 'slides2text', 'application/msword', ['office2pdf', 'pdf2text']],
  ['a hop by mime type', 'any2text', 'application/pdf', ['pdf2text']],
])('by name: %s', (_case, name, source, names) => {
  expect(registry.stepsByName(name, source).map((step) => step.converter)).toEqual(names)
})

test('a step says what it converts, and a chain speaks over its steps', () => {
  expect(registry.stepsByName('small', 'image/png')).toEqual([
    {
      converter: 'thumbnail',
      engine: 'image',
      sourceMimeType: 'image/png',
      destinationMimeType: undefined,
      parameters: { width: '50', depth: '8' },
    },
  ])
})

test.each([
  [
    'an undeclared source',
    () => registry.stepsByName('pdf2text', 'image/png'),
    'image/png mime type not supported by pdf2text converter',
  ],
  [
    'no route',
    () => registry.stepsByMimeType('image/png', 'video/mp4'),
    'No converters available to convert from image/png to video/mp4.',
  ],
  [
    'no route to a step on the way, which nobody asked for',
    () => registry.stepsByMimeType('video/mp4', 'application/pdf'),
    'No converters available to convert from video/mp4 to application/pdf.',
  ],
  [
    'the same of a converter by name',
    () => registry.stepsByName('mail2pdf', 'message/rfc822'),
    'No converters available to convert from message/rfc822 to application/pdf.',
  ],
  [
    'no route inside a chain, without asking the chain itself',
    () => registry.stepsByName('any2text', 'video/mp4'),
    'No converters available to convert from video/mp4 to text/plain.',
  ],
])('%s is an unsupported media type', (_case, call, message) => {
  expect(call).toThrow(expect.objectContaining({ status: 415, message }))
})

test('a ring is a fault of the deployment', () => {
  expect(() => registry.stepsByName('ring', 'text/plain')).toThrow(
    expect.objectContaining({ status: 500, message: 'Converter ring is a step of itself' }),
  )
})

test('an unknown name is refused by the name of its parameter', () => {
  expect(() => registry.stepsByName('x', 'a/b')).toThrow(
    expect.objectContaining({ status: 400, message: 'converter: Converter x is not registered' }),
  )
  expect(() => registry.stepsByName('any2txt', 'a/b')).toThrow('is not registered, did you mean "any2text"?')
})

test('a missing program makes its converters, and chains over them, unavailable', () => {
  const without = registryWithout('soffice')
  const unavailable = without.list().filter((status) => !status.isAvailable)
  expect(unavailable.map((status) => status.name)).toEqual([
    'office2pdf',
    'office2html',
    'slides2text',
    'mail2pdf',
  ])
  expect(unavailable[0]!.missing).toEqual(['soffice (Debian package libreoffice-nogui)'])
  expect(() => without.stepsByName('office2pdf', 'text/plain')).toThrow(
    expect.objectContaining({
      status: 400,
      message:
        "The 'office2pdf' converter is not available: install soffice (Debian package libreoffice-nogui)",
    }),
  )
  expect(without.stepsByMimeType('text/plain', 'text/html')[0]!.converter).toBe('plain2html')
})

test('the list shows the types of a chain by its ends', () => {
  expect(registry.list().find((status) => status.name === 'slides2text')).toEqual({
    name: 'slides2text',
    sourceMimeTypes: ['text/plain', 'text/html', 'application/msword'],
    destinationMimeType: 'text/plain',
    parameters: [],
    isAvailable: true,
    missing: [],
  })
})

const PICTURE = ['width', 'height', 'x', 'y', 'angle', 'watermark', 'gravity', 'opacity', 'color', 'depth']

test.each([
  ['small', [...PICTURE, 'conversionFormat']],
  ['image2png', PICTURE],
  ['plain2html', []],
  ['ring', []],
])('the list shows the parameters of %s', (name, parameters) => {
  const status = registry.list().find((candidate) => candidate.name === name)
  expect(status?.parameters.map((parameter) => parameter.name)).toEqual(parameters)
})
