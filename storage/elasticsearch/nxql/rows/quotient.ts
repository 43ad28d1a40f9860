/** Digits that PostgreSQL computes with at once, and that a quotient has at least. */
const GROUP = 4
const MIN_DIGITS = 16

/** How many groups of digits a whole number has before the last one, and the first of them. */
const firstGroup = (digits: string): { weight: number; first: number } => {
  const weight = Math.ceil(digits.length / GROUP) - 1
  return { weight, first: Number(digits.slice(0, digits.length - weight * GROUP)) }
}

const digitsOf = (value: bigint): string => String(value < 0n ? -value : value)

/**
 * Divides whole numbers as `numeric` of PostgreSQL does (`select_div_scale` of its numeric.c): to 16 significant digits or
 * up to three more, half of the last one away from zero.
 *
 * @param divisor more than 0.
 * @returns the digits that PostgreSQL prints, such as `2.5000000000000000`.
 */
export const quotientText = (dividend: bigint, divisor: bigint): string => {
  const above = firstGroup(digitsOf(dividend))
  const below = firstGroup(digitsOf(divisor))
  const weight = above.weight - below.weight - (above.first <= below.first ? 1 : 0)
  const scale = Math.max(0, MIN_DIGITS - weight * GROUP)
  const scaled = BigInt(digitsOf(dividend)) * 10n ** BigInt(scale)
  const rounded = (2n * scaled + divisor) / (2n * divisor)
  const digits = String(rounded).padStart(scale + 1, '0')
  const whole = `${dividend < 0n && rounded > 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}`
  return scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`
}

/** The same as a number. */
export const quotient = (dividend: bigint, divisor: bigint): number => Number(quotientText(dividend, divisor))
