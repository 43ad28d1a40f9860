import type { Session } from '../../content/documents/index.js'
import type { PropertyValue } from '../../model/properties/index.js'
import type { ItemFailure, TransientStore } from '../language/index.js'
import type { KeptIncident } from './contracts/incidents.js'
import type { InlineRun } from './contracts/inline-runs.js'
import type { Cursor, Iterations } from './contracts/iterations.js'
import type { Receipts, StepKey } from './contracts/receipts.js'
import type { UnitOfWork, UnitsOfWork } from './contracts/unit-of-work.js'

type Loop = Cursor & { failures: ItemFailure[]; stopped: ItemFailure | null }

/** All that transactions keep, by `workflow/step` or by the key that it was put under. */
export type Kept = {
  receipts: Map<string, PropertyValue>
  loops: Map<string, Loop>
  values: Map<string, PropertyValue>
  lists: Map<string, readonly string[]>
  incidents: Map<string, readonly KeptIncident[]>
  /** Completed inline runs. */
  runs: Map<string, InlineRun>
  /** Transactions that have committed. */
  commits: number
}

export const placeOf = ({ workflowId, step }: StepKey): string => `${workflowId}/${step}`

const receiptsIn = ({ receipts }: Kept): Receipts => ({
  find: async (key) => receipts.get(placeOf(key)),
  record: async (key, result) => {
    if (receipts.has(placeOf(key))) return false
    receipts.set(placeOf(key), result)
    return true
  },
  recordAll: async (recorded) => {
    if (recorded.some(({ key }) => receipts.has(placeOf(key)))) return false
    for (const { key, result } of recorded) receipts.set(placeOf(key), result)
    return true
  },
  ofItems: async (key) => {
    const position = (name: string) => Number(name.slice(placeOf(key).length + 1))
    return [...receipts]
      .filter(([name]) => name.startsWith(`${placeOf(key)}/`) && Number.isInteger(position(name)))
      .sort(([one], [other]) => position(one) - position(other))
      .map(([, result]) => result)
  },
})

const iterationsIn = ({ loops }: Kept): Iterations => {
  const loopAt = (key: StepKey): Loop => {
    const loop = loops.get(placeOf(key))
    if (!loop) throw new Error(`The loop ${placeOf(key)} has not begun`)
    return loop
  }
  return {
    cursor: async (key) => loops.get(placeOf(key)),
    begin: async (key, begun) => {
      if (loops.has(placeOf(key))) return false
      const loop = { ...begun, position: 0, failed: 0, handedOn: null, failures: [], stopped: null }
      loops.set(placeOf(key), loop)
      return true
    },
    saveCursor: async (key, position, { hasFailed } = { hasFailed: false }) => {
      const loop = loopAt(key)
      if (loop.position !== position) return false
      loop.position++
      if (hasFailed) loop.failed++
      return true
    },
    enterItem: async (key, { position, total }) => {
      const loop = loopAt(key)
      if (loop.position === position) loop.total = total
    },
    handOn: async (key, state) => {
      loopAt(key).handedOn = state
    },
    stop: async (key, failure) => {
      const loop = loopAt(key)
      if (loop.position === failure.position) loop.stopped = failure
    },
    ofRun: async (workflowId) =>
      [...loops]
        .filter(([name]) => name.startsWith(`${workflowId}/`))
        .map(([name, loop]) => ({ ...loop, step: name.slice(workflowId.length + 1), documentId: null })),
    addFailure: async (key, failure) => {
      loopAt(key).failures.push(failure)
    },
    failures: async (key, { after = -1, upTo = Infinity, among, limit }) =>
      loopAt(key)
        .failures.filter(({ position }) => position > after && position <= upTo)
        .filter(({ position }) => among?.includes(position) ?? true)
        .slice(0, limit),
    failedPositions: async (key, among) =>
      loopAt(key)
        .failures.map(({ position }) => position)
        .filter((position) => among?.includes(position) ?? true),
    resolveFailure: async (key, position) => {
      const loop = loopAt(key)
      const left = loop.failures.filter((failure) => failure.position !== position)
      const isResolved = left.length < loop.failures.length
      if (isResolved) loop.failed--
      loop.failures = left
      return isResolved
    },
    renewFailure: async (key, failure) => {
      const loop = loopAt(key)
      loop.failures = loop.failures.map((known) => (known.position === failure.position ? failure : known))
    },
  }
}

const transientIn = ({ values, lists }: Kept): TransientStore => ({
  put: async (key, value) => void values.set(key, value),
  get: async (key) => values.get(key),
  putList: async (key, ids) => void lists.set(key, ids),
  getList: async (key, from, to) => [...(lists.get(key) ?? [])].slice(from, to),
})

/** @param principal all that a session is asked for by operations that look at no documents. */
const unitOn = (kept: Kept, principal: Session['principal']): UnitOfWork => {
  const session = { principal } as Session
  const unit = {
    session,
    sessionAs: (other: Session['principal']) => ({ ...session, principal: other }),
    limited: (signal: AbortSignal) => signal,
    transient: transientIn(kept),
    receipts: receiptsIn(kept),
    iterations: iterationsIn(kept),
    inlineRuns: {
      complete: async (run: InlineRun) => void kept.runs.set(run.runId, run),
      completeAll: async (runs: readonly InlineRun[]) => {
        for (const run of runs) kept.runs.set(run.runId, run)
      },
    },
    incidents: {
      record: async (key: StepKey, incidents: readonly KeptIncident[]) =>
        void kept.incidents.set(placeOf(key), incidents),
    },
  }
  return unit as unknown as UnitOfWork
}

/**
 * Transactions in memory, for the tests of what runs keep: one after the other, each kept whole or not at all. They
 * reach no documents.
 */
export const createMemoryUnits = (): { units: UnitsOfWork; kept(): Kept } => {
  let committed: Kept = {
    receipts: new Map(),
    loops: new Map(),
    values: new Map(),
    lists: new Map(),
    incidents: new Map(),
    runs: new Map(),
    commits: 0,
  }
  let last: Promise<unknown> = Promise.resolve()

  const transaction: UnitsOfWork['transaction'] = (principal, work) => {
    const running = last.then(async () => {
      const draft = structuredClone(committed)
      const before: (() => Promise<unknown>)[] = []
      const result = await work(unitOn(draft, principal), (write) => before.push(write))
      for (const write of before) await write()
      committed = { ...draft, commits: draft.commits + 1 }
      return result
    })
    last = running.catch(() => undefined)
    return running
  }
  /** What is committed when each of its methods is called, not when it is opened. */
  const readingOf = (principal: Session['principal']): UnitOfWork => {
    const opened = unitOn(committed, principal)
    const latest = <Name extends 'receipts' | 'iterations' | 'transient'>(name: Name): UnitOfWork[Name] =>
      new Proxy(opened[name], {
        get: (_, method) => Reflect.get(unitOn(committed, principal)[name], method),
      })
    return {
      ...opened,
      receipts: latest('receipts'),
      iterations: latest('iterations'),
      transient: latest('transient'),
    }
  }
  const units: UnitsOfWork = {
    transaction,
    series: (work) => work(transaction),
    startedByEvent: () => units,
    reading: (principal) => readingOf(principal),
  }
  return { units, kept: () => committed }
}
