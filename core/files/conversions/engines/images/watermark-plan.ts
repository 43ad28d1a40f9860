import { suggestion } from '../../../../platform/contributions/index.js'
import { fail } from '../../../../platform/errors/index.js'
import { positiveInteger } from '../parameters.js'
import { COLOUR_NAMES } from './colour-names.js'

/** Where a text stands on a picture, as the process of pictures names it. */
export const GRAVITIES: readonly string[] =
  'centre north northeast east southeast south southwest west northwest'.split(' ')

/** @property opacity per cent. */
export type Watermark = { text: string; gravity: string; opacity: number; colour: string }

type Parameters = Readonly<Record<string, string>>

const MAX_LENGTH = 200

const gravityOf = (parameters: Parameters): string => {
  const asked = (parameters.gravity?.trim().toLowerCase() || 'southeast').replace('center', 'centre')
  if (GRAVITIES.includes(asked)) return asked
  throw fail(
    'badRequest',
    `gravity: expected one of ${GRAVITIES.join(', ')}, got ${JSON.stringify(parameters.gravity)}`,
  )
}

const colourOf = (parameters: Parameters): string => {
  const asked = parameters.color?.trim() || 'white'
  const colour = asked.toLowerCase()
  if (/^#[\da-f]{6}$/.test(colour) || COLOUR_NAMES.includes(colour)) return colour
  throw fail(
    'badRequest',
    `color: expected a colour such as white or #ff0000, got ${JSON.stringify(asked.slice(0, MAX_LENGTH))}${suggestion(colour, COLOUR_NAMES)}`,
  )
}

/**
 * The text that is written on a picture; null without the parameter `watermark`.
 *
 * @throws badRequest naming a parameter that makes no sense.
 */
export const watermarkOf = (parameters: Parameters): Watermark | null => {
  const text = parameters.watermark?.trim() ?? ''
  if (text === '') return null
  if (text.length > MAX_LENGTH)
    throw fail('badRequest', `watermark: must have at most ${MAX_LENGTH} characters, got ${text.length}`)
  return {
    text,
    gravity: gravityOf(parameters),
    opacity: positiveInteger(parameters, 'opacity', 100) ?? 50,
    colour: colourOf(parameters),
  }
}
