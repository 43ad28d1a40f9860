import { newQuickJSWASMModule, type QuickJSWASMModule } from 'quickjs-emscripten'
import { fail, isArchivoltError } from '../../../errors/index.js'
import { VALUE_TOO_LARGE } from '../prelude/prelude.js'
import type { ExpressionLimits } from '../types.js'
import { type HostCall, openRealm, type Realm, ValueTooLarge } from './realm.js'
import { createWatchdog, StoppedByWatchdog } from './watchdog.js'

/** An exception that the code in the sandbox raised, with its place in the compiled text when known. */
export class GuestError extends Error {
  override readonly name = 'GuestError'
  readonly guestName: string
  readonly place: { line: number; column: number } | undefined

  constructor({ name, message, place }: { name: string; message: string; place?: GuestError['place'] }) {
    super(message)
    this.guestName = name
    this.place = place
  }
}

/** The work exceeded a limit, and had no value. */
export class LimitMet extends Error {
  override readonly name = 'LimitMet'
  readonly limit: keyof ExpressionLimits

  constructor(limit: keyof ExpressionLimits, options?: ErrorOptions) {
    super(limit, options)
    this.limit = limit
  }
}

export type Sandbox = {
  /**
   * Runs work in the warm realm under all limits. With `quick` it surely ends soon, as long as it receives no more
   * than so many characters, and runs without the watchdog; undefined for work that needs it.
   *
   * @throws LimitMet, GuestError, and what the host throws.
   */
  execute<T>(work: (realm: Realm) => T, options: { quick: number | undefined }): T
  /** Settles when a module is available, undefined when one is now: after two limits in a row one is loaded. */
  ready(): Promise<void> | undefined
  dispose(): void
}

// The realm's own clock ends loops cleanly; the watchdog is for native calls that never check it.
const GRACE_MS = 20
// A spoiled module is replaced at once by a spare, and that one in the background: loading is asynchronous.
const MODULES = 2

/** The available WebAssembly modules, the first in use. */
const createModules = async () => {
  const modules = await Promise.all(Array.from({ length: MODULES }, () => newQuickJSWASMModule()))
  let loadError: unknown
  let loading: Promise<void> | undefined
  const reload = () => {
    loading = newQuickJSWASMModule().then(
      (module) => void modules.push(module),
      (error: unknown) => {
        loadError = error
      },
    )
  }
  return {
    current(): QuickJSWASMModule {
      const [module] = modules
      if (module !== undefined) return module
      if (loadError !== undefined) reload()
      throw fail('unavailable', 'The expression sandbox is restarting after two limits in a row', {
        cause: loadError,
      })
    },
    drop() {
      modules.shift()
      reload()
    },
    ready: () => (modules.length > 0 ? undefined : loading),
  }
}

const limitOf = (error: unknown, met: ReturnType<Realm['limitMet']>): keyof ExpressionLimits | undefined => {
  if (error instanceof StoppedByWatchdog) return 'timeMs'
  if (met !== undefined) return met
  // The host's own stack ends first when native code of the sandbox recurses (nested JSON, nested brackets).
  if (error instanceof RangeError) return 'stackBytes'
  if (!(error instanceof GuestError)) return undefined
  if (error.message === VALUE_TOO_LARGE) return 'valueLength'
  if (error.message === 'stack overflow') return 'stackBytes'
  // Without memory for an error object the engine throws null.
  const isMemory = ['out of memory', 'string too long'].includes(error.message) || error.guestName === ''
  return isMemory ? 'memoryBytes' : undefined
}

/** Limits that the work can catch, or that stay in no realm. */
const LEAVES_REALM_WHOLE = new Set<keyof ExpressionLimits | undefined>([undefined, 'valueLength'])

/**
 * One warm realm on a WebAssembly module of its own. After a limit the runtime is replaced (2 ms);
 * after a stop from outside, or an error of the host inside the module, so is the module.
 */
export const createSandbox = async ({
  limits,
  call,
}: {
  limits: ExpressionLimits
  call: HostCall
}): Promise<Sandbox> => {
  const modules = await createModules()
  const watchdog = createWatchdog()
  let realm: Realm | undefined

  const discardRealm = () => {
    const discarded = realm
    realm = undefined
    try {
      discarded?.dispose()
    } catch {
      // A runtime that an exhausted heap or stack left inconsistent cannot be freed, only dropped whole.
      modules.drop()
    }
  }

  const discardModule = () => {
    realm = undefined
    modules.drop()
  }

  const settle = (used: Realm, error: unknown): unknown => {
    const limit = limitOf(error, used.limitMet())
    const isGuests = error instanceof GuestError || error instanceof ValueTooLarge || isArchivoltError(error)
    if (!isGuests) discardModule()
    else if (!LEAVES_REALM_WHOLE.has(limit)) discardRealm()
    return limit === undefined ? error : new LimitMet(limit, { cause: error })
  }

  return {
    execute(work, { quick }) {
      realm ??= openRealm(modules.current(), { limits, call })
      const used = realm
      used.arm(quick ?? limits.valueLength)
      try {
        const result = quick === undefined ? watchdog(() => work(used), limits.timeMs + GRACE_MS) : work(used)
        // A promise's job would wait for a later call, holding this one's values.
        if (used.context.runtime.hasPendingJob()) discardRealm()
        const met = used.limitMet()
        if (met !== undefined) throw new LimitMet(met)
        return result
      } catch (error) {
        throw error instanceof LimitMet ? error : settle(used, error)
      }
    },
    ready: modules.ready,
    dispose() {
      realm?.dispose()
      realm = undefined
    },
  }
}
