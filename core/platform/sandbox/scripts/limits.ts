export type ScriptLimits = {
  /** Time that a script computes, or that passes where the system is not Linux, what it calls not counted but for other scripts, milliseconds. */
  timeMs: number
  /** Heap of the sandbox, bytes. */
  memoryBytes: number
  /** Call stack of the sandbox, bytes. */
  stackBytes: number
  /** Text of one script, characters. */
  sourceLength: number
  /** One value passed in or out, characters of its JSON form. */
  valueLength: number
  /** Calls of operations and services in one transaction. */
  calls: number
  /** Text for the log in one transaction, characters. */
  outputLength: number
  /** Scripts that run one inside the other. */
  depth: number
}

export const defaultScriptLimits: ScriptLimits = {
  timeMs: 5_000,
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 256 * 1024,
  sourceLength: 256 * 1024,
  valueLength: 2 * 1024 * 1024,
  calls: 20_000,
  outputLength: 64 * 1024,
  depth: 10,
}

const SAID: Readonly<Record<keyof ScriptLimits, string>> = {
  timeMs: 'computes longer than its time limit (ms)',
  memoryBytes: 'needs more memory than its limit (bytes)',
  stackBytes: 'nests calls deeper than its stack limit (bytes)',
  sourceLength: 'is longer than the limit (characters)',
  valueLength: 'handles a value larger than the limit (characters)',
  calls: 'calls operations and services more often than the limit',
  outputLength: 'writes more to the log than the limit (characters)',
  depth: 'runs scripts inside one another deeper than the limit',
}

export const isScriptLimit = (name: string): name is keyof ScriptLimits => Object.hasOwn(SAID, name)

/** The message for an exceeded limit: `… its time limit (ms): 5000`. */
export const overLimit = (limit: keyof ScriptLimits, limits: ScriptLimits): string =>
  `${SAID[limit]}: ${limits[limit]}`
