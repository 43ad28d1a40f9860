import type { BlobOwner } from '../../blobs/index.js'
import type { CommandLine } from '../command-lines/command-line.js'
import type { ToolName } from '../tools/tools.js'

/** Names a command line among the parameters of a converter. */
export const COMMAND_PARAMETER = 'CommandLineName'

/** What a command line is given by the product, whatever a caller says. */
export const COMMAND_OWN: readonly string[] = [
  'sourceFilePath',
  'outDirPath',
  'targetFilePath',
  'inFilePath',
  'outFilePath',
]

/** The ways to convert, and the programs that each needs. A converter of `config/converters.yaml` names one. */
export const engineTools = {
  /** LibreOffice: whatever it can open to pdf, html, text or another office format. */
  office: ['soffice'],
  pdfToText: ['pdftotext'],
  pdfToHtml: ['pdftohtml'],
  /** Plain text to html, and any text to UTF-8. */
  text: [],
  /** The words of mails and of electronic books. */
  mail: [],
  epub: [],
  /** Format, size and depth of pictures (sharp, in a process of its own). */
  image: [],
  video: ['ffmpeg', 'ffprobe'],
  /** A contributed command line, which its parameter `CommandLineName` names. */
  command: [],
} as const satisfies Record<string, readonly ToolName[]>

export type EngineName = keyof typeof engineTools

/** What the parameter of a caller may be, and what holds without it. */
export type EngineParameter = { name: string; description: string }

const side = (what: string): string =>
  `Maximum ${what} in pixels, from 1 to 16383; the ratio is kept, and nothing is enlarged`

/** The parameters that an engine reads; it ignores all others. */
export const engineParameters: Partial<Record<EngineName, readonly EngineParameter[]>> = {
  image: [
    { name: 'width', description: side('width') },
    { name: 'height', description: side('height') },
    { name: 'x', description: 'Pixels left of a part of the picture, whose sides are width and height' },
    { name: 'y', description: 'Pixels above it' },
    { name: 'angle', description: 'Degrees by which it is turned clockwise, from -360 to 360' },
    { name: 'watermark', description: 'A text that is written on the picture' },
    { name: 'gravity', description: 'Where it stands, such as centre or northwest; default southeast' },
    { name: 'opacity', description: 'Its opacity, from 1 to 100 per cent; default 50' },
    { name: 'color', description: 'Its colour, such as white (the default) or #ff0000' },
    { name: 'depth', description: 'Bits of a colour channel, 8 or 16; default 8' },
    {
      name: 'conversionFormat',
      description: "jpeg, png, webp, gif, tiff or avif; default the source's, else jpeg",
    },
  ],
  video: [
    { name: 'height', description: "From 1 to 4320 pixels, the width follows; default the film's own" },
  ],
}

/** Of a converter that has a format of its own, this parameter decides nothing. */
export const FORMAT_PARAMETER = 'conversionFormat'

export const engineNames = Object.keys(engineTools) as [EngineName, ...EngineName[]]

export type EngineJob = {
  /** Absolute path of a copy in `folder`, which holds nothing else; the engine may change it. */
  input: string
  sourceMimeType: string
  /** Charset of a text; null means UTF-8. */
  sourceEncoding: string | null
  /** Absent when the converter leaves the choice to its parameters. */
  destinationMimeType?: string
  /** Private to this job; the result is written here. */
  folder: string
  parameters: Readonly<Record<string, string>>
  /** What the converter's parameter `CommandLineName` names. */
  command?: CommandLine | undefined
  /** Who has a share of the processes; absent: the product itself. */
  owner?: BlobOwner | undefined
  signal?: AbortSignal | undefined
  /** From 0 to 1; called as often as the engine has news. */
  onProgress?: (fraction: number) => void
}

/** @property extension where the type has several. */
export type EngineOutput = { path: string; mimeType: string; encoding?: string; extension?: string }

/**
 * Converts one file. Fails with `badRequest` for a parameter that makes no sense, `conversionFailed` when the file
 * cannot be converted, `timeout` when it takes too long; throws the signal's reason when aborted.
 */
export type Engine = (job: EngineJob) => Promise<EngineOutput>

export type Engines = Readonly<Record<EngineName, Engine>>
