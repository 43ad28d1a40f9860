import { type DestinationStream, type Logger, pino } from 'pino'
import { currentLogFields } from './log-scope.js'
import { inSources } from './source-places.js'

export type LoggerOptions = {
  /** Name of the process in each line. */
  service: string
  /** Name of the process among all of the installation. */
  node: string
  level: string
  /**
   * Standard output when absent, some lines at a time: a write for each cost a document GET a sixth of its
   * time, and one for each 4 kB still a twentieth. They are out within a tenth of a second, and before the
   * process exits.
   */
  destination?: DestinationStream
}

/** Bytes to collect before a write, and milliseconds after which fewer are written too. */
const STANDARD_OUTPUT = { dest: 1, sync: false, minLength: 12_288, periodicFlush: 100 }

/** The messages of an error and its causes, without those that an earlier one already includes. */
const messagesOf = (error: Error): string => {
  const messages: string[] = []
  const seen = new Set<unknown>()
  for (let at: unknown = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at)
    const { message } = at
    if (!messages.some((before) => before.includes(message))) messages.push(message)
  }
  return messages.join(': ')
}

const serializeError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return pino.stdSerializers.err(error as Error)
  const serialized = pino.stdSerializers.err(error)
  serialized.message = messagesOf(error)
  serialized.stack = inSources(serialized.stack)
  return serialized
}

/** Structured log of a process; each line carries the fields of the scope it is written in. */
export const createLogger = ({ service, node, level, destination }: LoggerOptions): Logger => {
  const options = {
    level,
    base: { service, node, pid: process.pid },
    mixin: currentLogFields,
    serializers: { err: serializeError },
  }
  return pino(options, destination ?? pino.destination(STANDARD_OUTPUT))
}
