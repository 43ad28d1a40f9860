/** The messages between a script's thread and its owner. */

/** A script ready to be compiled: see `program.ts`. */
export type Program = {
  /** The same for programs that are the same. */
  key: string
  title: string
  /** JavaScript whose value is a function of `names`. */
  code: string
  /** The same in other brackets, compiled first and never run. */
  check: string
  names: readonly string[]
  /** What a name stands for when it is a family of operations: pairs of member and id; or one id. */
  namespaces: { readonly [name: string]: readonly (readonly [string, string])[] | string }
  /** How the code came from the script, where it is not its own text from the second line on; for the owner alone. */
  translation?: ScriptTranslation
}

export type ScriptTranslation = {
  source: string
  /** Offset in the code of each piece, ascending, with the offset in the source that it came from. */
  places: readonly { from: number; at: number }[]
}

export type RunMessage = {
  type: 'run'
  id: number
  /** Of a program that was sent to the thread before, or is sent now. */
  key: string
  program?: Omit<Program, 'translation'>
  /** The key of a program that the thread may forget. */
  forgets?: string
  args: string
}

/** The answer to a call, as the prelude reads it. */
export type ReplyMessage = {
  type: 'reply'
  id: number
  json: string
  /** The script cannot go on, whatever it catches. */
  ends?: boolean
}

export type CallMessage = { type: 'call'; id: number; question: string; payload: string }

export type Failure = {
  name: string
  message: string
  /** 1-based, in the code. */
  line?: number
  column?: number
  /** The limit that was exceeded: a key of `ScriptLimits`, `cancelled`, or `internal`. */
  limit?: string
}

export type DoneMessage = {
  type: 'done'
  id: number
  json?: string
  failure?: Failure
  /** The realm holds state of a script: no other may use it. */
  isSpoiled: boolean
}

export type ReadyMessage = {
  type: 'ready'
  /** Where to read what the thread has computed: nanoseconds, then other numbers. */
  clockFile?: string
}

export type ThreadMessage = CallMessage | DoneMessage | ReadyMessage
