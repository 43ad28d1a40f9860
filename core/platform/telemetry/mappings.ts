const CODES = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const DIGITS = new Uint8Array(128)
for (const [digit, code] of [...CODES].entries()) DIGITS[code.charCodeAt(0)] = digit

const [COMMA, SEMICOLON] = [','.charCodeAt(0), ';'.charCodeAt(0)]

/** The last bit of five says that a number goes on; the first of them all is its sign. */
const [CONTINUES, BITS] = [32, 5]

/** Lines and columns from 0; the source by its index. */
export type Original = { source: number; line: number; column: number }

/** Where code stands, lines and columns from 0. */
export type Generated = { line: number; column: number }

/**
 * The places in sources that places in generated code stand for, of the `mappings` of a source map (ECMA-426), in the
 * order of the given ones; undefined where a place stands for none. The mappings are read through once, and nothing of
 * them is kept: decoded, those of a server are some 400,000 lists.
 */
export const originalsOf = (
  mappings: string,
  wanted: readonly Generated[],
): readonly (Original | undefined)[] => {
  const found: (Original | undefined)[] = wanted.map(() => undefined)
  const last = Math.max(-1, ...wanted.map(({ line }) => line))
  // Column of the code, source, line and column there, name: each is written as a difference.
  const at = [0, 0, 0, 0, 0]
  let [line, field, value, shift] = [0, 0, 0, 0]

  const endSegment = (): void => {
    if (field > 0)
      for (const [index, place] of wanted.entries())
        if (place.line === line && at[0]! <= place.column)
          found[index] = field >= 4 ? { source: at[1]!, line: at[2]!, column: at[3]! } : undefined
    field = 0
  }

  for (let index = 0; index < mappings.length && line <= last; index++) {
    const code = mappings.charCodeAt(index)
    if (code === COMMA) endSegment()
    else if (code === SEMICOLON) {
      endSegment()
      line++
      at[0] = 0
    } else {
      const digit = DIGITS[code]!
      value += (digit & (CONTINUES - 1)) << shift
      shift += BITS
      if (digit & CONTINUES) continue
      at[field]! += value & 1 ? -(value >> 1) : value >> 1
      field++
      value = 0
      shift = 0
    }
  }
  endSegment()
  return found
}
