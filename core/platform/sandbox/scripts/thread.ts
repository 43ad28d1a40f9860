import { readFileSync } from 'node:fs'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { createProgramCache } from './program-cache.js'
import type { CallMessage, DoneMessage, Program, ThreadMessage } from './protocol.js'

const ENTRY = new URL('./thread.mjs', import.meta.url)
const [SENT, CANCELLED, WAITING] = [0, 1, 2]
/** A kind of thread: the code of its sandbox, its settings, and its limits. */
export type ThreadKind = {
  prelude: string
  env: Readonly<Record<string, string>>
  limits: Readonly<Record<'timeMs' | 'memoryBytes' | 'stackBytes' | 'valueLength', number>>
}

/** Time beyond its limit after which a script's thread is ended from outside. */
const GRACE_MS = 500
const CHECK_MS = 100

/** Answers a call with JSON for the prelude, or `ends` the script with it. Never fails. */
type Answer = (call: CallMessage) => Promise<{ json: string; ends?: boolean }>

export type ScriptThread = {
  /** Runs a program; one that a call has led to runs inside the one that waits for its answer. */
  run(program: Program, args: string): Promise<DoneMessage>
  /** Who answers the calls of what runs now. */
  answer: Answer
  /** Stops what runs: it ends with the limit `cancelled`. */
  cancel(): void
  /** False when it must not be used again. */
  isUsable(): boolean
  end(): void
}

/** Milliseconds that a thread has computed; elapsed ones where they are not known. */
const computedBy = (clockFile: string | undefined): number => {
  if (clockFile === undefined) return performance.now()
  try {
    return Number(readFileSync(clockFile, 'latin1').split(' ', 1)[0]) / 1e6
  } catch {
    // It has ended, and its exit event follows.
    return 0
  }
}

const LOST: Omit<DoneMessage, 'id'> = {
  type: 'done',
  failure: { name: 'Error', message: 'the thread of scripts has ended', limit: 'internal' },
  isSpoiled: true,
}

/**
 * Starts a thread for scripts. It holds up no other: what it computes is limited by its own clock, and when a
 * native call keeps it from checking that, by this thread's, which ends it.
 */
export const startThread = ({ prelude, limits, env }: ThreadKind): ScriptThread => {
  const signals = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT))
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(ENTRY, {
    workerData: { port: port2, signals, prelude, env, limits },
    transferList: [port2],
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  })
  worker.unref()
  port1.unref()

  const cache = createProgramCache()
  const waiting = new Map<number, { key: string; settle(done: DoneMessage): void }>()
  let runs = 0
  let usable = true
  let isReady = false
  let timedOut = false
  let computingSince = performance.now()
  let clockFile: string | undefined
  let watched: { since: number; computed: number } | undefined
  let overdue = false

  const send = (port: MessagePort, message: object): void => {
    port.postMessage(message)
    computingSince = performance.now()
    Atomics.add(signals, SENT!, 1)
    Atomics.notify(signals, SENT!)
  }

  const end = (): void => {
    usable = false
    port1.close()
    void worker.terminate()
    const failure = timedOut ? { name: 'Error', message: '', limit: 'timeMs' } : LOST.failure!
    for (const [id, { settle }] of waiting) settle({ ...LOST, id, failure })
    waiting.clear()
  }

  /** For how long the thread has computed without a word, ms: what others take of a busy machine is not counted. */
  const computing = (): number => {
    if (!isReady || waiting.size === 0 || Atomics.load(signals, WAITING!) === 1) return 0
    const computed = computedBy(clockFile)
    if (watched?.since !== computingSince) watched = { since: computingSince, computed }
    return computed - watched.computed
  }

  // A timer that is late because this thread was busy finds answers that are not read yet: it looks twice.
  const check = setInterval(() => {
    const isOverdue = computing() > limits.timeMs + GRACE_MS
    timedOut = isOverdue && overdue
    overdue = isOverdue
    if (timedOut) end()
  }, CHECK_MS)
  check.unref()

  const thread: ScriptThread = {
    run: (program, args) =>
      new Promise((resolve) => {
        const id = ++runs
        if (!usable) return resolve({ ...LOST, id })
        const running = [...waiting.values()].map(({ key }) => key)
        waiting.set(id, { key: program.key, settle: resolve })
        port1.ref()
        send(port1, { type: 'run', id, ...cache.messageFor(program, running), args })
      }),
    answer: async () => ({ json: '{}' }),
    cancel: () => {
      usable = false
      Atomics.store(signals, CANCELLED!, 1)
      Atomics.add(signals, SENT!, 1)
      Atomics.notify(signals, SENT!)
    },
    isUsable: () => usable,
    end: () => {
      clearInterval(check)
      end()
    },
  }

  port1.on('message', (message: ThreadMessage) => {
    computingSince = performance.now()
    isReady = true
    if (message.type === 'ready') clockFile = message.clockFile
    else if (message.type === 'call') {
      void thread.answer(message).then((reply) => {
        if (waiting.size > 0) send(port1, { type: 'reply', id: message.id, ...reply })
      })
    } else {
      if (message.isSpoiled || message.failure?.limit !== undefined) usable = false
      const run = waiting.get(message.id)
      waiting.delete(message.id)
      if (waiting.size === 0) port1.unref()
      run?.settle(message)
    }
  })
  worker.on('error', end)
  worker.on('exit', () => {
    clearInterval(check)
    end()
  })
  return thread
}
