import type { TransactionSql } from 'postgres'
import type { Principal } from '../../core/access/security/index.js'
import type { TransactionReach, UnitOfWork, UnitsOfWork } from '../../core/automation/run-store/index.js'
import { notifySessionSaved, type Session } from '../../core/content/documents/index.js'
import { EVENT_DEPTH } from '../../schema/event-depth.js'
import { createBulkStore } from './automation/bulk.js'
import { readEffects } from './automation/effects.js'
import { createIncidents } from './automation/incidents.js'
import { createInlineRuns } from './automation/inline-runs.js'
import { createIterations } from './automation/iterations.js'
import { createReceipts } from './automation/receipts.js'
import { createRunTallies } from './automation/run-tallies.js'
import { createSequences } from './automation/sequences.js'
import { createTransientStore } from './automation/transient.js'
import type { Database, Sql } from './database.js'
import { madeOfParts } from './parts.js'

/**
 * @param within the session of the transaction in which this one is a savepoint: it sees the same configuration.
 * @param last a session on the same connection for the same principal, whose transaction is over: what still
 *   holds of it is taken over.
 */
type SessionOn = (
  sql: Sql,
  principal: Principal,
  options: { holdsRows: boolean; last?: Session | undefined; within?: Session | undefined },
) => Session

/** Begins a transaction of somebody as soon as one may have another connection. */
export type Sharing = <Result>(principal: Principal, work: () => Promise<Result>) => Promise<Result>

/** A transaction, or the pool, with a session of it. */
type Opened = { sql: Sql; session: Session; holdsRows: boolean; sessionOn: SessionOn }

const unitOn = madeOfParts<Opened, UnitOfWork>()({
  sessions: ({ sql, session, holdsRows, sessionOn }) => ({
    session,
    sessionAs: (other: Principal) => sessionOn(sql, other, { holdsRows, within: session }),
    attempt: <Result>(work: (inner: TransactionReach) => Promise<Result>): Promise<Result> =>
      // The driver's types unwrap arrays of promises, which no work returns.
      (sql as TransactionSql).savepoint((inner) => {
        const within = sessionOn(inner, session.principal, { holdsRows, within: session })
        return work(unitOn({ sql: inner, session: within, holdsRows, sessionOn }))
      }) as Promise<Result>,
  }),
  transient: ({ sql }) => ({ transient: createTransientStore(sql) }),
  receipts: ({ sql }) => ({ receipts: createReceipts(sql) }),
  iterations: ({ sql }) => ({ iterations: createIterations(sql) }),
  inlineRuns: ({ sql }) => ({ inlineRuns: createInlineRuns(sql) }),
  incidents: ({ sql }) => ({ incidents: createIncidents(sql) }),
  tallies: ({ sql }) => ({ tallies: createRunTallies(sql) }),
  sequences: ({ sql }) => ({ sequences: createSequences(sql) }),
  bulk: ({ sql }) => ({ bulk: createBulkStore(sql) }),
  effects: ({ sql }) => ({ effects: () => readEffects(sql) }),
})

/**
 * Opens units of work on a database: sessions with the stores of execution bound to the same transaction.
 *
 * @param readSession a session outside of transactions.
 */
export const createUnitsOfWork = (
  database: Database,
  {
    sessionOn,
    sharing,
    readSession,
    eventDepth = 0,
  }: {
    sessionOn: SessionOn
    sharing: Sharing
    readSession(principal: Principal): Session
    /** Of the run that opens them: see `UnitsOfWork.startedByEvent`. */
    eventDepth?: number
  },
): UnitsOfWork => {
  const unit = (sql: Sql, principal: Principal, holdsRows: boolean): UnitOfWork =>
    unitOn({ sql, session: sessionOn(sql, principal, { holdsRows }), holdsRows, sessionOn })
  /** Sessions of one principal on one connection share what they can. */
  const sharedUnits = (): typeof unit => {
    let last: { sql: Sql; session: Session } | undefined
    return (sql, principal, holdsRows) => {
      if (holdsRows) return unit(sql, principal, holdsRows)
      const isKnown = last?.sql === sql && last.session.principal === principal
      const session = sessionOn(sql, principal, { holdsRows, last: isKnown ? last?.session : undefined })
      last = { sql, session }
      return unitOn({ sql, session, holdsRows, sessionOn })
    }
  }
  const transactions =
    (transaction: Database['transaction'], unitOf: typeof unit): UnitsOfWork['transaction'] =>
    (principal, work) =>
      transaction(async (sql, isContended, withCommit) => {
        if (eventDepth > 0) await sql`SELECT set_config(${EVENT_DEPTH}, ${String(eventDepth)}, true)`
        const opened = unitOf(sql, principal, isContended)
        const lasts: (() => Promise<unknown>)[] = []
        const result = await work(opened, (statement) => lasts.push(statement))
        await notifySessionSaved(opened.session)
        for (const last of lasts) withCommit(last())
        return result
      })
  const transaction = transactions(database.transaction, unit)
  return {
    transaction: (principal, work) => sharing(principal, () => transaction(principal, work)),
    series: (work) => database.series((transaction) => work(transactions(transaction, sharedUnits()))),
    startedByEvent: (depth) =>
      createUnitsOfWork(database, { sessionOn, sharing, readSession, eventDepth: depth }),
    reading: (principal) =>
      unitOn({ sql: database.sql, session: readSession(principal), holdsRows: false, sessionOn }),
  }
}

/** What steps reach in the transaction of a session that somebody else has opened on a connection. */
export const reachOf = (
  sql: Sql,
  session: Session,
  sessionAs: TransactionReach['sessionAs'],
): TransactionReach => ({
  session,
  sessionAs,
  transient: createTransientStore(sql),
  sequences: createSequences(sql),
  bulk: createBulkStore(sql),
  attempt: (work) => session.store.attempt((store) => work(reachOf(sql, { ...session, store }, sessionAs))),
})
