import type { Report, XmlPart } from '../../platform/contributions/index.js'

const LINE = /^(\d{2})\/(\d{2})\/(\d{4})$/

/** The days of `<csvFile><embedded>`: a `dd/MM/yyyy` on each line (workflow-audit.md §8). */
export const csvFileForm = ({ children, at }: XmlPart, report: Report): object => {
  const embedded = children.find(({ name }) => name === 'embedded')
  if (!embedded || children.length > 1)
    report('dates', at, 'expected <embedded> with a day on each line: files of the server are not read')
  const lines = (embedded?.text ?? '').split(/\s+/).filter((line) => line !== '')
  const dates = lines.flatMap((line) => {
    const [, day, month, year] = LINE.exec(line) ?? []
    if (year !== undefined) return [`${year}-${month}-${day}`]
    report('dates', embedded?.at ?? at, `"${line}" is no day; one is written 24/12/2026`)
    return []
  })
  return { dates }
}
