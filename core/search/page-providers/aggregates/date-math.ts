import { normalizeDate } from '../../../model/properties/index.js'

const STEP = /([+-]\d+|\/)([yMwdhHms])/g
const MATH = /^(now|\d{4}[^|]*?)(?:\|\|)?((?:[+-]\d+[yMwdhHms]|\/[yMwdhHms])*)$/

/** Characters of a date and its steps. */
const LONGEST = 200

const shifted = (date: Date, amount: number, unit: string): Date => {
  const moved = new Date(date)
  if (unit === 'y') moved.setUTCFullYear(moved.getUTCFullYear() + amount)
  else if (unit === 'M') moved.setUTCMonth(moved.getUTCMonth() + amount)
  else if (unit === 'w') moved.setUTCDate(moved.getUTCDate() + 7 * amount)
  else if (unit === 'd') moved.setUTCDate(moved.getUTCDate() + amount)
  else if (unit === 'm') moved.setUTCMinutes(moved.getUTCMinutes() + amount)
  else if (unit === 's') moved.setUTCSeconds(moved.getUTCSeconds() + amount)
  else moved.setUTCHours(moved.getUTCHours() + amount)
  return moved
}

/** How much of an ISO date a unit keeps. */
const KEPT: { readonly [unit: string]: number } = { y: 4, M: 7, d: 10, h: 13, H: 13, m: 16, s: 19 }

const rounded = (date: Date, unit: string): Date => {
  if (unit === 'w') return rounded(shifted(date, -((date.getUTCDay() + 6) % 7), 'd'), 'd')
  const text = date.toISOString()
  return new Date(`${text.slice(0, KEPT[unit])}${'0000-01-01T00:00:00.000Z'.slice(KEPT[unit])}`)
}

/**
 * Dates relative to an instant as search engines write them: `now-24H`, `now-1M/d`, `2015-01-01||+1w`.
 *
 * @returns undefined for any other text.
 */
export const dateMath = (text: string, now: Date): Date | undefined => {
  const match = text.length > LONGEST ? null : MATH.exec(text.trim())
  if (!match) return undefined
  const [, anchor = '', steps = ''] = match
  const start = anchor === 'now' ? now.toISOString() : normalizeDate(anchor)
  if (start === undefined) return undefined
  let date = new Date(start)
  for (const [, change = '', unit = ''] of steps.matchAll(STEP)) {
    date = change === '/' ? rounded(date, unit) : shifted(date, Number(change), unit)
  }
  return Number.isNaN(date.getTime()) ? undefined : date
}
