import type { Program, RunMessage } from './protocol.js'

/** Programs that a thread keeps compiled. */
const MOST_TOLD = 300

/** The programs that a thread has compiled: each is long, and sent once. */
export type ToldPrograms = {
  /** The message part for a program that is to run. Programs of the keys `running` are not evicted for it. */
  tell(program: Program, running: Iterable<string>): Pick<RunMessage, 'key' | 'program' | 'forgets'>
}

/** Least recently used programs are evicted. */
export const createToldPrograms = (most = MOST_TOLD): ToldPrograms => {
  const told = new Set<string>()

  const oldestBut = (kept: ReadonlySet<string>): string | undefined => {
    for (const key of told) if (!kept.has(key)) return key
    return undefined
  }

  return {
    tell({ translation: _ownersAlone, ...program }, running) {
      const { key } = program
      const isTold = told.delete(key)
      told.add(key)
      if (isTold) return { key }
      const forgets = told.size > most ? oldestBut(new Set([...running, key])) : undefined
      if (forgets === undefined) return { key, program }
      told.delete(forgets)
      return { key, program, forgets }
    },
  }
}
