import { LRUCache } from 'lru-cache'
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten'
import { PRELUDE, VALUE_TOO_LARGE } from '../prelude/prelude.js'
import type { ExpressionLimits } from '../types.js'
import { computedSince } from './computed.js'

const MAX_COMPILED = 1000
/** What an evaluation may compute after its time has run out, ms. */
const OVERDUE_MS = 3

/** A value that may not enter the sandbox. */
export class ValueTooLarge extends Error {
  override readonly name = 'ValueTooLarge'
}

/** What the sandbox asks of the host: a document's property, a context variable, a server property, the time. */
export type HostRequest = { kind: string; index: number; name: string }

export type HostCall = (request: HostRequest) => Inbound

/** A value on its way in: a primitive, or the JSON of `encodeForSandbox`. */
export type Inbound = string | number | boolean | null | { json: string }

export type Realm = {
  context: QuickJSContext
  run: QuickJSHandle
  compiled: LRUCache<string, QuickJSHandle>
  toHandle(value: Inbound): QuickJSHandle
  /** Starts the clock of one evaluation, which may receive so many characters in all. */
  arm(maxReceived: number): void
  /** The limit that was exceeded since `arm`, even if the expression has caught the error. */
  limitMet(): 'timeMs' | 'valueLength' | undefined
  /** Frees everything; throws when the runtime was left inconsistent, which makes its module unusable. */
  dispose(): void
}

/** A fresh locked-down context in a runtime of its own. */
export const openRealm = (
  module: QuickJSWASMModule,
  { limits, call }: { limits: ExpressionLimits; call: HostCall },
): Realm => {
  const runtime = module.newRuntime()
  let deadline = Number.POSITIVE_INFINITY
  let overdueSince: NodeJS.CpuUsage | undefined
  let interrupted = false
  let receivable = 0
  runtime.setMemoryLimit(limits.memoryBytes)
  runtime.setMaxStackSize(limits.stackBytes)
  runtime.setInterruptHandler(() => {
    if (performance.now() <= deadline) return false
    // On a busy machine that may have been other work: from now on only its own time counts.
    overdueSince ??= process.cpuUsage()
    interrupted = computedSince(overdueSince) > OVERDUE_MS
    return interrupted
  })
  const context = runtime.newContext()
  const host = context.newFunction('host', (kind, index, name) =>
    realm.toHandle(
      call({
        kind: context.getString(kind),
        index: context.getNumber(index),
        name: context.getString(name),
      }),
    ),
  )
  const start = context.unwrapResult(context.evalCode(PRELUDE, 'sandbox.js'))
  const most = context.newNumber(limits.valueLength)
  const parts = context.unwrapResult(context.callFunction(start, context.undefined, host, most))
  const run = context.getProp(parts, 'run')
  const revive = context.getProp(parts, 'revive')
  for (const handle of [host, start, most, parts]) handle.dispose()

  const compiled = new LRUCache<string, QuickJSHandle>({
    max: MAX_COMPILED,
    dispose: (handle) => handle.dispose(),
  })
  const realm: Realm = {
    context,
    run,
    compiled,
    toHandle(value) {
      const text = typeof value === 'object' ? value?.json : value
      if (typeof text === 'string') receivable -= text.length
      if (receivable < 0) throw new ValueTooLarge(VALUE_TOO_LARGE)
      if (typeof value === 'string') return context.newString(value)
      if (typeof value === 'number') return context.newNumber(value)
      if (typeof value === 'boolean') return value ? context.true : context.false
      if (value === null) return context.null
      return context
        .newString(value.json)
        .consume((json) => context.unwrapResult(context.callFunction(revive, context.undefined, json)))
    },
    arm(maxReceived) {
      receivable = maxReceived
      overdueSince = undefined
      interrupted = false
      deadline = performance.now() + limits.timeMs
    },
    limitMet() {
      if (interrupted) return 'timeMs'
      return receivable < 0 ? 'valueLength' : undefined
    },
    dispose() {
      compiled.clear()
      run.dispose()
      revive.dispose()
      context.dispose()
      runtime.dispose()
    },
  }
  return realm
}
