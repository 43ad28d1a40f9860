import { type DestinationStream, type Logger, pino } from 'pino'
import { currentLogFields } from './log-scope.js'

export type LoggerOptions = {
  /** Name of the process in each line. */
  service: string
  level: string
  /**
   * Standard output when absent, some lines at a time: a write for each cost a document GET a sixth of its
   * time, and one for each 4 kB still a twentieth. They are out within a tenth of a second, and before the
   * process exits.
   */
  destination?: DestinationStream
}

/** Bytes that are worth a write, and milliseconds after which fewer are written too. */
const STANDARD_OUTPUT = { dest: 1, sync: false, minLength: 12_288, periodicFlush: 100 }

/** Structured log of a process; each line carries the fields of the scope it is written in. */
export const createLogger = ({ service, level, destination }: LoggerOptions): Logger => {
  const options = { level, base: { service, pid: process.pid }, mixin: currentLogFields }
  return pino(options, destination ?? pino.destination(STANDARD_OUTPUT))
}
