/** Sandbox code: the pure functions of `Fn` (automation.md §7); those that need a service are the host's. */
export const FUNCTIONS = `
const HTML = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const htmlEscape = (value) => text(value).replace(/[&<>"']/g, (char) => HTML[char])
const nxqlEscape = (value) => text(value).replace(/['\\\\]/g, (char) => '\\\\' + char)
const flattened = (values) => values.flatMap((value) => (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]))
const toDate = (value) => {
  const date = new Date(isDate(value) ? time(value) : value)
  if (Number.isNaN(date.getTime())) throw new RangeError(JSON.stringify(value) + ' is not a date')
  return date
}
const Fn = Object.freeze({
  htmlEscape, escapeHtml: htmlEscape, nxqlEscape,
  concatenateIntoList: (...values) => flattened(values),
  concatenateValuesAsNewList: (...values) => flattened(values),
  date: toDate, calendar: toDate,
})
`
