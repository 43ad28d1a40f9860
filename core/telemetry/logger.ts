import { type DestinationStream, type Logger, pino } from 'pino'
import { currentLogFields } from './log-scope.js'

export type LoggerOptions = {
  /** Name of the process in each line. */
  service: string
  level: string
  /**
   * Standard output when absent: what is logged while a line is being written goes out with the next one, and
   * all of it before the process exits.
   */
  destination?: DestinationStream
}

/** Structured log of a process; each line carries the fields of the scope it is written in. */
export const createLogger = ({ service, level, destination }: LoggerOptions): Logger => {
  const options = { level, base: { service, pid: process.pid }, mixin: currentLogFields }
  return pino(options, destination ?? pino.destination({ dest: 1, sync: false }))
}
