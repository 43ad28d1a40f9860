import { clip } from './printable.js'
import type { Terminal } from './terminal.js'

export type LiveLines = {
  /** Replaces the shown lines. */
  show(lines: readonly string[]): void
  /** Keeps the shown lines, and continues below them. */
  keep(): void
}

const DEFAULT_COLUMNS = 80

/** Lines that are rewritten in place on a terminal. No line may wrap, or the place would be lost. */
export const createLiveLines = ({ stderr }: Pick<Terminal, 'stderr'>): LiveLines => {
  let height = 0
  return {
    show: (lines) => {
      // A terminal that does not know its width says 0.
      const width = (stderr.columns || DEFAULT_COLUMNS) - 1
      const up = height > 0 ? `\x1b[${height}A` : ''
      stderr.write(`${up}\x1b[0J${lines.map((line) => `${clip(line, width)}\n`).join('')}`)
      height = lines.length
    },
    keep: () => {
      height = 0
    },
  }
}
