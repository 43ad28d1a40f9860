import { closeSync, openSync, readSync, statSync } from 'node:fs'

type LogEntry = {
  level?: unknown
  msg?: unknown
  err?: { message?: unknown }
  workflowId?: unknown
  chain?: unknown
  listener?: unknown
  documentId?: unknown
}

const parseEntry = (line: string): LogEntry | undefined => {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line) as LogEntry
  } catch {
    // Not one of our own structured lines.
    return undefined
  }
}

const WARN = 40

/** Where it was: `(chain close, run close-5c0c…)`, `(listener eventHandlers/close, document 5c0c…)`. */
const whereOf = ({ chain, workflowId, listener, documentId }: LogEntry): string => {
  const named = { chain, run: workflowId, listener, document: documentId }
  const parts = Object.entries(named).flatMap(([name, id]) => (typeof id === 'string' ? `${name} ${id}` : []))
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** Users may log texts of theirs: nothing in them looks like a further entry, or is what a terminal obeys. */
const harmless = (text: string): string =>
  text
    .replace(/[^\P{C}\n]/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('\n', '\n    ')

/** What a structured (pino) log line says when it is a warning or worse, else undefined. */
export const warningOf = (line: string): string | undefined => {
  const entry = parseEntry(line)
  if (typeof entry?.level !== 'number' || entry.level < WARN) return undefined
  const parts = [entry.msg, entry.err?.message].filter(
    (part): part is string => typeof part === 'string' && part !== '',
  )
  const said = [...new Set(parts)].join(': ')
  return said === '' ? undefined : harmless(`${said}${whereOf(entry)}`)
}

const LAST_LINES = 4

/** The last words of a server before it ended: its last error, else its last lines. */
export const lastWords = (output: string): string => {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  // What stands behind all lines of the log is why a process ends by itself.
  const logged = lines.findLastIndex((line) => line.startsWith('{'))
  const said = logged < 0 ? [] : lines.slice(logged + 1)
  if (said.length > 0) return said.slice(-LAST_LINES).join('\n')
  const errors = lines.flatMap((line) => warningOf(line) ?? [])
  return errors.at(-1) ?? (lines.slice(-LAST_LINES).join('\n') || 'it wrote no output')
}

const MAX_BYTES = 1 << 20

/** At most one MiB of a file from `offset` on; empty when the file is not there or not as long. */
export const readFrom = (file: string, offset: number): Buffer => {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size <= offset) return Buffer.alloc(0)
  const descriptor = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(Math.min(size - offset, MAX_BYTES))
    return buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, offset))
  } finally {
    closeSync(descriptor)
  }
}

const FOLLOW_MS = 100

/** Reads what is appended to a log file, line by line, until it is stopped. */
export const followLog = (file: string, onLine: (line: string) => void): (() => void) => {
  let offset = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  let rest = ''
  const read = (): void => {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (size < offset) offset = 0
    const added = readFrom(file, offset)
    if (added.length === 0) return
    offset += added.length
    const lines = `${rest}${added.toString('utf8')}`.split('\n')
    rest = lines.pop() ?? ''
    lines.forEach(onLine)
  }
  const timer = setInterval(read, FOLLOW_MS)
  timer.unref()
  return () => clearInterval(timer)
}
