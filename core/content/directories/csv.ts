import { CsvError, parse } from 'csv-parse/sync'

/**
 * Reads the records of a CSV text (RFC 4180): fields in quotes may hold separators, line breaks and doubled
 * quotes. Blank lines are left out.
 *
 * @returns rows of texts, the header first.
 * @throws SyntaxError naming the line of an unclosed quote.
 */
export const parseCsv = (text: string, separator = ','): string[][] => {
  const bytes = Buffer.from(text.replace(BYTE_ORDER_MARK, ''))
  try {
    const rows = parse(bytes, {
      delimiter: separator,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    })
    return rows.filter((row) => row.length > 1 || row[0] !== '')
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== 'CSV_QUOTE_NOT_CLOSED') throw error
    throw new SyntaxError(`line ${lineOfQuote(bytes, Number(error.bytes))}: a quote is not closed`, {
      cause: error,
    })
  }
}

const BYTE_ORDER_MARK = /^\uFEFF/

/** The line of the first quote after a byte: the library reports where the last field ended, and its line. */
const lineOfQuote = (bytes: Buffer, from: number): number =>
  bytes.subarray(0, bytes.indexOf('"', from)).toString().split('\n').length
