import { expect, test } from 'vitest'
import { mergeContributions } from '../../platform/contributions/index.js'
import { commandsPoint } from './command-lines/command-schema.js'
import { converterCommandsRegistry } from './converter-commands.js'
import { convertersPoint } from './converter-schema.js'

const commands = `
commands:
  tomkv: { commandLine: ffmpeg, parameterString: '-i #{inFilePath} #{outFilePath}' }
  probe: { commandLine: ffprobe, parameterString: '#{inFilePath}' }
`

const converter = (change: object) => {
  const parameters = {
    CommandLineName: 'tomkv',
    videoMimeType: 'video/x-matroska',
    videoExtension: '.mkv',
    tmpDirectoryPrefix: 'toMkv',
    ...change,
  }
  const entry = {
    engine: 'video',
    sourceMimeTypes: ['video/*'],
    destinationMimeType: 'video/x-matroska',
    parameters,
  }
  return JSON.stringify({ converters: { toMkv: entry } })
}

const deploy = (text: string) => {
  const files = [
    { file: 'commands.yaml', text: commands },
    { file: 'converters.yaml', text },
  ]
  const contributions = mergeContributions(files, [convertersPoint, commandsPoint])
  return converterCommandsRegistry.build(contributions, {
    get: () => {
      throw new Error('asks for no other registry')
    },
  })
}

test('the generic video converter is deployed with its four parameters', () => {
  expect(() => deploy(converter({}))).not.toThrow()
})

test.each([
  ['no command line', { CommandLineName: '' }, 'expected CommandLineName'],
  ['an unknown command line', { CommandLineName: 'tomk' }, '"tomk" is not among the commands'],
  ['a command line that writes no film', { CommandLineName: 'probe' }, 'has no #{outFilePath}'],
  ['no mime type', { videoMimeType: undefined }, 'expected videoMimeType'],
  ['a mime type that is none', { videoMimeType: 'mkv' }, '"mkv" is not a mime type'],
  [
    'another mime type than it promises',
    { videoMimeType: 'video/mp4' },
    'expected destinationMimeType to be video/mp4',
  ],
  [
    'an extension that ffmpeg does not write',
    { videoExtension: 'docx' },
    'ffmpeg writes no film with the extension docx',
  ],
  ['a prefix that is a path', { tmpDirectoryPrefix: '../x' }, 'expected letters, digits, _ and -'],
  ['no prefix', { tmpDirectoryPrefix: undefined }, 'expected tmpDirectoryPrefix'],
])('%s is refused when it is deployed', (_case, change, message) => {
  expect(() => deploy(converter(change))).toThrow(message)
})

test('a command without a converter parameter, or a shell in it, is refused', () => {
  expect(() =>
    deploy(JSON.stringify({ converters: { x: { engine: 'command', sourceMimeTypes: ['*'] } } })),
  ).toThrow('expected CommandLineName beside engine: command')
  expect(() => deploy(JSON.stringify({ commands: { x: { commandLine: '/bin/sh' } } }))).toThrow(
    'expected the name of a program',
  )
})
