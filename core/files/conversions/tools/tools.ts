import { accessSync, constants, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { detectSandbox } from '../sandbox/detect.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/** The programs that converters run or are confined by, and the Debian package that brings each. */
export const debianPackages = {
  soffice: 'libreoffice-nogui',
  python3: 'python3-uno',
  pdftotext: 'poppler-utils',
  pdftohtml: 'poppler-utils',
  pdfunite: 'poppler-utils',
  ffmpeg: 'ffmpeg',
  ffprobe: 'ffmpeg',
  pdftoppm: 'poppler-utils',
  compare: 'imagemagick',
  convert: 'imagemagick',
  identify: 'imagemagick',
  exiftool: 'libimage-exiftool-perl',
  bwrap: 'bubblewrap',
  unshare: 'util-linux',
} as const

export type ToolName = keyof typeof debianPackages

export type Tools = {
  /** The folders searched, in the form of the PATH variable; also the PATH of the programs themselves. */
  path: string
  /** Absolute path of the first program of that name, or null when it is not installed. */
  find(name: ToolName): string | null
  /** The same for a program of a contributed command line. */
  findProgram(name: string): string | null
  /** All programs of that name: a Python beside the system's one may lack its packages. */
  findAll(name: ToolName): string[]
  /** What the programs are confined by, found out at the first call. */
  sandbox(): Promise<Sandbox>
  /** Bytes of memory that one program may fill; beyond, its allocations fail. */
  memoryBytes: number
  /** Bytes of one file that a program may write; beyond, it is ended. */
  fileBytes: number
}

export type ToolsOptions = {
  /** As the PATH variable. */
  path: string
  /** Absolute paths that replace the search for single programs. */
  commands?: Partial<Record<ToolName, string>>
  /** Default 2 GiB. */
  memoryBytes?: number
  /** Default 16 GiB. */
  fileBytes?: number
  /** For the trial of the sandbox; default that of the system. */
  tempFolder?: string
  /** Folders that no program may see, where they stand among the programs of the system: data and code. Default none. */
  hidden?: readonly string[]
}

const DEFAULT_MEMORY_BYTES = 2 * 1024 ** 3
const DEFAULT_FILE_BYTES = 16 * 1024 ** 3

/**
 * Looks programs up at each call, so that one installed while the process runs is found. A look-up is a few
 * stat calls (some 50 µs), beside conversions that take a thousand times longer.
 */
export const createTools = ({
  path,
  commands = {},
  memoryBytes = DEFAULT_MEMORY_BYTES,
  fileBytes = DEFAULT_FILE_BYTES,
  tempFolder = tmpdir(),
  hidden = [],
}: ToolsOptions): Tools => {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder))
  const configured = new Map<string, string>(Object.entries(commands))
  const candidates = (name: string): string[] => {
    const own = configured.get(name)
    return own === undefined ? folders.map((folder) => join(folder, name)) : [own]
  }
  const find = (name: string) => candidates(name).find(isProgram) ?? null
  let sandbox: Promise<Sandbox> | undefined
  return {
    path,
    find,
    findProgram: find,
    findAll: (name) => candidates(name).filter(isProgram),
    sandbox: () => {
      sandbox ??= detectSandbox({ bwrap: find('bwrap'), unshare: find('unshare'), path, tempFolder, hidden })
      return sandbox
    },
    memoryBytes,
    fileBytes,
  }
}

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // Missing or forbidden: not a program for us.
    return false
  }
}
