import { type Principal, SYSTEM } from '../../../access/security/index.js'
import { isArchivoltError } from '../../../platform/errors/index.js'
import type { DryRunPlace } from '../../dry-run/index.js'
import { contextAt, throwIfStopped } from '../../execution/index.js'
import type { OperationContext } from '../../language/index.js'
import type { TrialEntry } from './types.js'

type Work<Result> = (context: OperationContext) => Promise<Result>

const keyOf = ({ to, subject }: { to: readonly string[]; subject: string }): string =>
  JSON.stringify([to, subject])

/** The transaction of a trial, in which time passes only when it is turned. */
export const createClock = ({ unit, dependencies, notes, signal }: DryRunPlace, startedAt: Date) => {
  const entries: TrialEntry[] = []
  let now = startedAt
  const seen = new Map<string, number>()
  const add = (entry: Omit<TrialEntry, 'at'>): TrialEntry => {
    const added = { at: now.toISOString(), ...entry }
    entries.push(added)
    return added
  }
  notes.noteRoute = add

  /** Mails of one transaction have no order: what is more than before is new. */
  const addMails = async ({
    workflowId,
    workflowModelName,
  }: Pick<TrialEntry, 'workflowId' | 'workflowModelName'>): Promise<void> => {
    if (!dependencies.services.mail) return
    const { mails } = await unit.effects()
    const place = { workflowId, workflowModelName }
    const before = new Map(seen)
    seen.clear()
    for (const { to, subject } of [...mails].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))) {
      const key = keyOf({ to, subject })
      const count = (seen.get(key) ?? 0) + 1
      seen.set(key, count)
      if (count > (before.get(key) ?? 0)) add({ ...place, kind: 'mail', to, subject })
    }
  }

  return {
    entries,
    now: () => now,
    turn: (to: number): void => {
      throwIfStopped(signal)
      now = new Date(Math.max(to, now.getTime()))
    },

    /** Reads at this moment, with every right. */
    read: <Result>(work: Work<Result>): Promise<Result> =>
      work(contextAt(dependencies, unit, { principal: SYSTEM, now, signal })),

    /** Does at this moment what is undone alone when it fails. */
    act: <Result>(principal: Principal, work: Work<Result>): Promise<Result> =>
      unit.attempt((inner) => work(contextAt(dependencies, inner, { principal, now, signal }))),

    /**
     * Lists what is done at this moment, with its mails.
     *
     * @returns what the work returns; undefined for what has failed: that is listed with its error alone.
     */
    list: async <Result>(
      entry: Omit<TrialEntry, 'at'>,
      work: () => Promise<Result>,
    ): Promise<Result | undefined> => {
      const added = add(entry)
      const count = entries.length
      try {
        const result = await work()
        await addMails(entry)
        return result
      } catch (error) {
        if (!isArchivoltError(error) || error.retryable) throw error
        entries.length = count
        added.error = error.message
        return undefined
      }
    },
    addMails,
  }
}

export type Clock = ReturnType<typeof createClock>
