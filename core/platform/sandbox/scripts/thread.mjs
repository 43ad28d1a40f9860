/**
 * The thread in which scripts run: one QuickJS realm, and a port to the thread that owns the transaction. A
 * script's call is a message, and the thread sleeps until its answer is there. Meanwhile it may receive
 * another script to run, one that the call has led to. Plain JavaScript, so that it starts without a loader.
 *
 * @typedef {import('./protocol.js').Program} Program
 * @typedef {import('./protocol.js').RunMessage} RunMessage
 * @typedef {import('./protocol.js').ReplyMessage} ReplyMessage
 * @typedef {import('quickjs-emscripten').QuickJSHandle} QuickJSHandle
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { receiveMessageOnPort, workerData } from 'node:worker_threads'
import { newQuickJSWASMModule } from 'quickjs-emscripten'

const { port, signals, prelude, env, limits } = workerData
// Cells that both threads see: messages sent to this one; 1 when all must end; 1 while this one waits.
const SENT = 0
const CANCELLED = 1
const WAITING = 2

class Stopped extends Error {}

/** Time spent in scripts, those that a script has called included, since the outermost one began. */
const clock = { spent: 0, resumedAt: 0 }
let depth = 0
let limit
let computedBefore = 0

const elapsed = () => clock.spent + performance.now() - clock.resumedAt

/** Milliseconds that this thread has computed, from Linux's /proc. */
const readClock = (file) => Number(readFileSync(file, 'latin1').split(' ', 1)[0]) / 1e6

/** Elsewhere, and where Linux does not count, time is what passes. */
const findClock = () => {
  try {
    const file = `/proc/${readlinkSync('/proc/thread-self')}/schedstat`
    return readClock(file) > 0 ? file : undefined
  } catch {
    return undefined
  }
}
const clockFile = findClock()
const computed = () => (clockFile === undefined ? performance.now() : readClock(clockFile))

/** On a busy machine much of the elapsed time may be other work. */
const isOverdue = () => elapsed() > limits.timeMs && computed() - computedBefore > limits.timeMs

const module = await newQuickJSWASMModule()
const runtime = module.newRuntime()
runtime.setMemoryLimit(limits.memoryBytes)
runtime.setMaxStackSize(limits.stackBytes)
runtime.setInterruptHandler(() => {
  if (depth === 0) return false
  if (Atomics.load(signals, CANCELLED) === 1) limit = 'cancelled'
  else if (isOverdue()) limit = 'timeMs'
  return limit !== undefined
})
const context = runtime.newContext()

/** @type {Map<number, ReplyMessage>} Answers to calls of scripts further out. */
const early = new Map()
let calls = 0

/** Sleeps until there is a message. @returns {RunMessage | ReplyMessage} */
const receive = () => {
  for (;;) {
    const sent = Atomics.load(signals, SENT)
    const received = receiveMessageOnPort(port)
    if (received !== undefined) return received.message
    if (Atomics.load(signals, CANCELLED) === 1) {
      limit ??= 'cancelled'
      throw new Stopped(limit)
    }
    Atomics.wait(signals, SENT, sent)
  }
}

/** @returns {string} the answer as JSON. */
const callHost = (question, payload) => {
  clock.spent += performance.now() - clock.resumedAt
  const id = ++calls
  Atomics.store(signals, WAITING, 1)
  port.postMessage({ type: 'call', id, question, payload })
  try {
    for (;;) {
      const known = early.get(id)
      if (known !== undefined) {
        early.delete(id)
        if (known.ends) limit ??= 'ended'
        return known.json
      }
      const message = receive()
      if (message.type === 'run') {
        Atomics.store(signals, WAITING, 0)
        answerRun(message)
        Atomics.store(signals, WAITING, 1)
      } else early.set(message.id, message)
    }
  } finally {
    Atomics.store(signals, WAITING, 0)
    clock.resumedAt = performance.now()
  }
}

const host = context.newFunction('host', (question, payload) => {
  const asked = context.getString(question)
  const sent = context.getString(payload)
  if (sent.length > limits.valueLength) limit ??= 'valueLength'
  if (limit !== undefined) throw new Stopped(limit)
  const reply = callHost(asked, sent)
  return context.newString(reply)
})

const start = context.unwrapResult(context.evalCode(prelude, 'sandbox.js'))
const settings = context.newString(JSON.stringify({ env, valueLength: limits.valueLength }))
const parts = context.unwrapResult(context.callFunction(start, context.undefined, host, settings))
const bind = context.getProp(parts, 'bind')
const run = context.getProp(parts, 'run')
const reset = context.getProp(parts, 'reset')

/**
 * The programs that the owner has sent, until it says to forget them: as texts until they are compiled.
 *
 * @type {Map<string, { program?: Program, compiled?: QuickJSHandle }>}
 */
const programs = new Map()

/**
 * Compiles twice: text that closes the brackets of one wrapper to reach the global scope cannot close those
 * of the other, and the first is not run.
 */
const compile = ({ check, code, names, namespaces }) => {
  const checked = context.evalCode(check, 'script', { compileOnly: true })
  if (checked.error) return checked
  checked.value.dispose()
  const evaluated = context.evalCode(code, 'script')
  if (evaluated.error) return evaluated
  const globals = context.newString(JSON.stringify({ names, namespaces }))
  const bound = context.callFunction(bind, context.undefined, evaluated.value, globals)
  evaluated.value.dispose()
  globals.dispose()
  return bound
}

/** The engine's messages for limits of its own. */
const limitOf = ({ name, message }) => {
  if (limit !== undefined) return limit
  if (message === 'stack overflow') return 'stackBytes'
  if (message === 'the value is too large') return 'valueLength'
  // Without memory for an error object the engine throws null.
  const isMemory = message === 'out of memory' || message === 'string too long' || name === ''
  return isMemory ? 'memoryBytes' : undefined
}

const failureOf = (handle) => {
  const dumped = handle.consume((error) => context.dump(error))
  const unknownName = dumped === null ? '' : 'Error'
  const thrown = typeof dumped === 'object' ? dumped : { message: String(dumped) }
  const { name, message, stack, fileName, lineNumber } = {
    name: unknownName,
    message: '',
    stack: '',
    ...thrown,
  }
  const place = /script:(\d+):(\d+)/.exec(String(stack)) ?? (fileName === 'script' && ['', lineNumber, 1])
  const failure = {
    name: String(name).slice(0, 100),
    message: String(message).slice(0, 1000),
    ...(place && { line: Number(place[1]), column: Number(place[2]) }),
  }
  return { ...failure, limit: limitOf(failure) }
}

/** @returns {{ json: string } | { failure: object }} */
const execute = (known, args) => {
  if (known.compiled === undefined) {
    const script = compile(known.program)
    if (script.error) return { failure: failureOf(script.error) }
    known.compiled = script.value
    known.program = undefined
  }
  const given = context.newString(args)
  const result = context.callFunction(run, context.undefined, known.compiled, given)
  given.dispose()
  if (result.error) return { failure: failureOf(result.error) }
  return { json: result.value.consume((value) => context.getString(value)) }
}

/** @param {RunMessage} message */
const answerRun = ({ id, key, program, forgets, args }) => {
  if (program !== undefined) programs.set(key, { program })
  if (forgets !== undefined) {
    programs.get(forgets)?.compiled?.dispose()
    programs.delete(forgets)
  }
  const isOutermost = depth === 0
  if (isOutermost) {
    limit = undefined
    computedBefore = computed()
    clock.spent = 0
    context.unwrapResult(context.callFunction(reset, context.undefined)).dispose()
  }
  depth++
  clock.resumedAt = performance.now()
  let outcome
  try {
    outcome = execute(programs.get(key), args)
    if (limit !== undefined) outcome = { failure: { name: 'Error', message: '', limit } }
  } catch (error) {
    // Errors of the host inside the module: its own stack ended, or it was left inconsistent.
    const isStack = error instanceof RangeError
    outcome = {
      failure: {
        name: 'Error',
        message: String(error),
        limit: limit ?? (isStack ? 'stackBytes' : 'internal'),
      },
    }
  }
  clock.spent += performance.now() - clock.resumedAt
  depth--
  // A promise's job would wait for a later call, holding this one's values.
  const isSpoiled = isOutermost && runtime.hasPendingJob()
  port.postMessage({ type: 'done', id, ...outcome, isSpoiled })
}

port.on('message', answerRun)
port.postMessage({ type: 'ready', clockFile })
