import { printableLine } from './printable.js'
import type { Terminal } from './terminal.js'

/** Rows as columns of equal width, the last one as long as it is. */
export const tableOf = (rows: readonly (readonly string[])[]): string[] => {
  const cells = rows.map((row) => row.map(printableLine))
  const widths = (cells[0] ?? []).map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)))
  return cells.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Writes rows as a table, or beside the result a word that there are none. */
export const showTable = (
  terminal: Pick<Terminal, 'out' | 'error'>,
  { rows, none }: { rows: readonly (readonly string[])[]; none: string },
): void => {
  if (rows.length === 0) terminal.error(none)
  for (const line of tableOf(rows)) terminal.out(line)
}
