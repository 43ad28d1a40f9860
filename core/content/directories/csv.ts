/**
 * Reads the records of a CSV text (RFC 4180): fields in quotes may hold separators, line breaks and doubled
 * quotes. Blank lines are left out.
 *
 * @returns rows of texts, the header first.
 * @throws SyntaxError naming the line of a quote that is never closed.
 */
export const parseCsv = (text: string, separator = ','): string[][] => {
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  let line = 1

  const endField = (): void => {
    row.push(field)
    field = ''
  }
  const endRow = (): void => {
    endField()
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
    line++
  }
  /** The position after the closing quote. */
  const readQuoted = (from: number): number => {
    const beginning = line
    for (let position = from; ; position++) {
      const char = text[position]
      if (char === undefined) throw new SyntaxError(`line ${beginning}: a quote is not closed`)
      if (char === '\n') line++
      if (char !== '"') field += char
      else if (text[position + 1] !== '"') return position + 1
      else {
        field += '"'
        position++
      }
    }
  }

  while (at < text.length) {
    const char = text[at]!
    if (char === '"' && field === '') at = readQuoted(at + 1)
    else {
      if (char === separator) endField()
      else if (char === '\n') endRow()
      else if (char !== '\r') field += char
      at++
    }
  }
  if (field !== '' || row.length > 0) endRow()
  return rows
}
