import type { Figure } from './types.js'

export type Verdict = 'met' | 'missed' | 'no goal'

export type Row = Figure & { ratio?: number; verdict: Verdict }

/** Judges a figure: its ratio to the floor, or its value where there is none. */
export const judge = (figure: Figure): Row => {
  const ratio = figure.floor === undefined ? undefined : figure.ours / figure.floor
  const { goal } = figure
  if (!goal) return { ...figure, ratio, verdict: 'no goal' }
  const value = ratio ?? figure.ours
  const isMet = 'least' in goal ? value >= goal.least : value <= goal.most
  return { ...figure, ratio, verdict: isMet ? 'met' : 'missed' }
}

const number = (value: number | undefined): string => {
  if (value === undefined) return ''
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)
}

const goalText = ({ goal }: Figure): string => {
  if (!goal) return ''
  return 'least' in goal ? `>= ${goal.least}` : `<= ${goal.most}`
}

const HEADINGS = ['figure', 'unit', 'ours', 'floor', 'ratio', 'goal', '']

/** The figures as a table of text. */
export const renderTable = (rows: readonly Row[]): string => {
  const cells = rows.map((row) => [
    row.name,
    row.unit,
    number(row.ours),
    number(row.floor),
    row.ratio === undefined ? '' : row.ratio.toFixed(2),
    goalText(row),
    row.verdict === 'no goal' ? '' : row.verdict,
  ])
  const table = [HEADINGS, ...cells]
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)))
  const isText = (column: number): boolean => column < 2 || column > 4
  return table
    .map((line) =>
      line
        .map((cell, column) =>
          isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
