import type { Program, RunMessage } from './protocol.js'

/** Programs that a thread keeps compiled. */
const MAX_PROGRAMS = 300

/** The programs that a thread has compiled: each is long, and sent once. */
export type ProgramCache = {
  /** The message part for a program that is to run. Programs of the keys `running` are not evicted for it. */
  messageFor(program: Program, running: Iterable<string>): Pick<RunMessage, 'key' | 'program' | 'forgets'>
}

/** Least recently used programs are evicted. */
export const createProgramCache = (max = MAX_PROGRAMS): ProgramCache => {
  const keys = new Set<string>()

  const oldestBut = (running: ReadonlySet<string>): string | undefined => {
    for (const key of keys) if (!running.has(key)) return key
    return undefined
  }

  return {
    messageFor({ translation: _ownersAlone, ...program }, running) {
      const { key } = program
      const isCached = keys.delete(key)
      keys.add(key)
      if (isCached) return { key }
      const forgets = keys.size > max ? oldestBut(new Set([...running, key])) : undefined
      if (forgets === undefined) return { key, program }
      keys.delete(forgets)
      return { key, program, forgets }
    },
  }
}
