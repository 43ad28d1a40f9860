import { stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Principal } from '../../../access/security/index.js'
import type { BlobValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { Bench, Workbench } from '../../conversions/index.js'
import { type PictureFormat, pictureFormatOf, writableFormat } from './format.js'
import { identify, type PictureInfo } from './identify.js'

/** The command lines that the product has; a deployment may contribute others. */
export const DIFFERENCE_COMMANDS = {
  plain: 'diff-pictures-default',
  withColours: 'diff-pictures-default-with-params',
  /** Also compares pictures of another format or size. */
  pro: 'diff-pictures-pro',
} as const

/** Two pictures, and how they are compared; a blank parameter, and `default`, stand for what holds without it. */
export type PictureComparison = {
  left: BlobValue
  right: BlobValue
  /** Name of a command line; default `diff-pictures-default`, with a lowlight colour `…-with-params`. */
  commandLine?: string | undefined
  /** `fuzz` (a number or per cent), `highlightColor`, `lowlightColor`, `targetFileName`; others as they are. */
  parameters?: Readonly<Record<string, string>>
  principal: Principal
  signal?: AbortSignal | undefined
}

export type PictureDifference = {
  /** The picture of the difference. */
  blob: BlobValue
  /** How many pixels differ by more than the fuzz; null where the command line does not count them. */
  differingPixels: number | null
}

const given = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' || text.trim().toLowerCase() === 'default'
    ? undefined
    : text.trim()

const COLOUR = /^(?:#[\da-f]{3,16}|[a-z]+\d{0,3}|(?:rgb|rgba|hsl|hsla|gray)\([\d.,%\s]+\))$/i
const FUZZ = /^\d{1,9}(?:\.\d{1,9})?%?$/

const checked = (name: string, value: string, form: RegExp): string => {
  if (form.test(value)) return value
  const expected = form === FUZZ ? 'a number, or per cent such as 5%' : 'a colour such as Red or #ff0000'
  throw fail('badRequest', `${name}: expected ${expected}, got ${JSON.stringify(value)}`)
}

const parametersOf = ({ parameters = {} }: PictureComparison) => ({
  ...parameters,
  fuzz: checked('fuzz', given(parameters.fuzz) ?? '0', FUZZ),
  highlightColor: checked('highlightColor', given(parameters.highlightColor) ?? 'Red', COLOUR),
  lowlightColor: checked('lowlightColor', given(parameters.lowlightColor) ?? 'None', COLOUR),
})

type Side = { path: string; format: PictureFormat; info: PictureInfo }

const sideOf = async (bench: Bench, path: string, { name, digest }: BlobValue): Promise<Side> => {
  const format = await pictureFormatOf(path)
  if (!format) throw fail('badRequest', `${name ?? digest} is not a picture that can be compared`)
  return { path, format, info: await identify(bench, { path, format }) }
}

const requireSame = (left: Side, right: Side): void => {
  if (left.format.coder !== right.format.coder)
    throw fail(
      'badRequest',
      `The pictures differ in format: ${left.format.mimeType} and ${right.format.mimeType}`,
    )
  const size = ({ info: { width, height } }: Side) => `${width} x ${height}`
  if (size(left) !== size(right))
    throw fail('badRequest', `The pictures differ in size: ${size(left)} and ${size(right)} pixels`)
}

const targetOf = ({ left, parameters }: PictureComparison, format: PictureFormat) => {
  const name = basename(given(parameters?.targetFileName) ?? `comp-${left.name ?? left.digest}`)
  const extension = extname(name).slice(1)
  const written = extension === '' ? format : (writableFormat(extension) ?? format)
  return { name, format: written }
}

/** Characters of what a program says that are kept: the number is at the end. */
const KEPT_OUTPUT = 8_192

/** A warning of ImageMagick, which ends with a place in its code. */
const WARNING = /(?<![\w.-])[\w.-]+: [^\n]*? @ (?:warning|error)\/\S+/g

/** The number at the end of what `compare` says, `1.2e+06` among them. */
const pixelsIn = (said: string): number | null => {
  const last = /(?<![\d.])([\d.]+(?:e[+-]?\d+)?)\s*$/i.exec(said.replaceAll(WARNING, ''))?.[1]
  return last === undefined ? null : Number(last)
}

/**
 * Compares two pictures (interface specification, picture comparison; blobs-conversions.md §4). Nothing but the
 * picture of the difference is stored.
 *
 * @throws badRequest for a file that is no picture, pictures of different format or size unless the command line
 * `diff-pictures-pro` is asked for, and a parameter that makes no sense.
 */
export const comparePictures = (
  workbench: Workbench,
  comparison: PictureComparison,
): Promise<PictureDifference> => {
  const { left, right, principal: owner, signal } = comparison
  return workbench({ blobs: [left, right], owner, signal }, async (bench) => {
    const lowlight = given(comparison.parameters?.lowlightColor)
    const usual = lowlight === undefined ? DIFFERENCE_COMMANDS.plain : DIFFERENCE_COMMANDS.withColours
    const command = given(comparison.commandLine) ?? usual
    const parameters = parametersOf(comparison)
    const one = await sideOf(bench, bench.paths[0]!, left)
    const other = await sideOf(bench, bench.paths[1]!, right)
    if (command !== DIFFERENCE_COMMANDS.pro) requireSame(one, other)
    const target = targetOf(comparison, one.format)
    const path = join(bench.folder, 'difference')
    let said = ''
    await bench.runCommand(command, {
      own: {
        file1: `${one.format.coder}:${one.path}`,
        file2: `${other.format.coder}:${other.path}`,
        targetFilePath: `${target.format.coder}:${path}`,
      },
      given: parameters,
      // Pictures that differ are no failure.
      exitCodes: [1],
      onErrorOutput: (text) => {
        said = `${said}${text}`.slice(-KEPT_OUTPUT)
      },
    })
    const { size } = await stat(path).catch(() => ({ size: 0 }))
    if (size === 0) throw fail('conversionFailed', `${command} wrote no picture`)
    const blob = await bench.keep(path, { name: target.name, mimeType: target.format.mimeType })
    return { blob, differingPixels: pixelsIn(said) }
  })
}
