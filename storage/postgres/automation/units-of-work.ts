import type { Principal } from '../../../core/access/security/index.js'
import type { TransactionReach, UnitOfWork, UnitsOfWork } from '../../../core/automation/run-store/index.js'
import { notifySessionSaved, type Session } from '../../../core/content/documents/index.js'
import type { Sharing } from '../../../core/platform/limits/index.js'
import { EVENT_DEPTH } from '../../../schema/event-depth.js'
import type { Database, Sql } from '../connection/index.js'
import { inSavepoint, lazyParts } from '../connection/index.js'
import { connectionOf } from '../documents/index.js'
import { createBulkStore } from './bulk.js'
import { readEffects } from './effects.js'
import { type Holding, UNLIMITED, type WatchHolding } from './holding.js'
import { createIncidents } from './incidents.js'
import { createInlineRuns } from './inline-runs.js'
import { createIterations } from './iterations.js'
import { createReceipts } from './receipts.js'
import { createRunTallies } from './run-tallies.js'
import { createSequences } from './sequences.js'
import { createTransientStore } from './transient.js'

/**
 * @param within the session of the transaction in which this one is a savepoint: it sees the same configuration.
 * @param last a session on the same connection for the same principal, whose transaction is over: what still
 *   holds of it is taken over.
 * @param over ends what is done in it: see `Session.over`. A savepoint ends with its transaction.
 */
type SessionOn = (
  sql: Sql,
  principal: Principal,
  options: {
    holdsRows: boolean
    last?: Session | undefined
    within?: Session | undefined
    over?: AbortSignal | undefined
  },
) => Session

/** A transaction, or the pool, with a session of it. */
type Opened = Pick<Holding, 'limited'> & {
  sql: Sql
  session: Session
  holdsRows: boolean
  sessionOn: SessionOn
}

type Stores = Omit<UnitOfWork, 'session' | 'sessionAs' | 'attempt' | 'limited'>

/** What is bound to a connection, by the name under which units of work, and steps in others' transactions, reach it. */
const STORES: { [name in keyof Stores]: (on: { sql: Sql; session: Session }) => Stores[name] } = {
  transient: ({ sql, session }) => createTransientStore(sql, session.writes),
  receipts: ({ sql, session }) => createReceipts(sql, session.writes),
  iterations: ({ sql, session }) => createIterations(sql, session.writes),
  inlineRuns: ({ sql, session }) => createInlineRuns(sql, session.writes),
  incidents: ({ sql }) => createIncidents(sql),
  tallies: ({ sql }) => createRunTallies(sql),
  sequences: ({ sql }) => createSequences(sql),
  bulk: ({ sql }) => createBulkStore(sql),
  effects:
    ({ sql }) =>
    () =>
      readEffects(sql),
}

const unitOn: (opened: Opened) => UnitOfWork = lazyParts<Opened, UnitOfWork>({
  ...STORES,
  session: ({ session }) => session,
  sessionAs:
    ({ sql, session, holdsRows, sessionOn }) =>
    (other) =>
      sessionOn(sql, other, { holdsRows, within: session }),
  attempt:
    ({ sql, session, holdsRows, sessionOn, limited }) =>
    (work) =>
      inSavepoint(sql, (inner) => {
        const within = sessionOn(inner, session.principal, { holdsRows, within: session })
        return work(unitOn({ sql: inner, session: within, holdsRows, sessionOn, limited }))
      }),
  limited: ({ limited }) => limited,
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
    watchHolding,
    eventDepth = 0,
  }: {
    sessionOn: SessionOn
    sharing: Sharing
    readSession(principal: Principal): Session
    watchHolding: WatchHolding
    /** Of the run that opens them: see `UnitsOfWork.startedByEvent`. */
    eventDepth?: number
  },
): UnitsOfWork => {
  type Begun = Pick<Opened, 'sql' | 'holdsRows' | 'limited'> & Pick<Holding, 'over'>
  const unit = (begun: Begun, principal: Principal): UnitOfWork => {
    const { sql, holdsRows, over } = begun
    return unitOn({ ...begun, session: sessionOn(sql, principal, { holdsRows, over }), sessionOn })
  }
  /** Sessions of one principal on one connection share what they can. */
  const sharedUnits = (): typeof unit => {
    let last: { sql: Sql; session: Session } | undefined
    return (begun, principal) => {
      const { sql, holdsRows, over } = begun
      if (holdsRows) return unit(begun, principal)
      const isKnown = last?.sql === sql && last.session.principal === principal
      const session = sessionOn(sql, principal, {
        holdsRows,
        last: isKnown ? last?.session : undefined,
        over,
      })
      last = { sql, session }
      return unitOn({ ...begun, session, sessionOn })
    }
  }
  const transactions =
    (transaction: Database['transaction'], unitOf: typeof unit): UnitsOfWork['transaction'] =>
    (principal, work) =>
      transaction(async (sql, isContended, withCommit) => {
        if (eventDepth > 0) await sql`SELECT set_config(${EVENT_DEPTH}, ${String(eventDepth)}, true)`
        const holding = watchHolding(sql, principal)
        try {
          const opened = unitOf(
            { sql, holdsRows: isContended, limited: holding.limited, over: holding.over },
            principal,
          )
          const lasts: (() => Promise<unknown>)[] = []
          const result = await work(opened, (statement) => lasts.push(statement))
          await notifySessionSaved(opened.session)
          for (const last of lasts) withCommit(last())
          return result
        } finally {
          holding.end()
        }
      })
  const transaction = transactions(database.transaction, unit)
  return {
    transaction: (principal, work) => sharing(principal, () => transaction(principal, work)),
    series: (work) => database.series((transaction) => work(transactions(transaction, sharedUnits()))),
    startedByEvent: (depth) =>
      createUnitsOfWork(database, { sessionOn, sharing, readSession, watchHolding, eventDepth: depth }),
    reading: (principal) =>
      unitOn({
        sql: database.sql,
        session: readSession(principal),
        holdsRows: false,
        sessionOn,
        limited: UNLIMITED.limited,
      }),
  }
}

type SessionAs = (within: Session) => TransactionReach['sessionAs']

/** A session that somebody else has opened, with what it is bound to. */
type Joined = { sql: Sql; session: Session; sessionAs: SessionAs }

const reachOn = lazyParts<Joined, UnitOfWork>({
  ...STORES,
  session: ({ session }) => session,
  sessionAs: ({ session, sessionAs }) => sessionAs(session),
  attempt:
    ({ session, sessionAs }) =>
    (work) =>
      session.attempt((inner) => work(reachOf({ ...session, ...inner }, sessionAs))),
  limited: () => UNLIMITED.limited,
})

/**
 * What steps reach in the transaction of a session that somebody else has opened.
 *
 * @param sessionAs gives sessions for others beside one.
 */
export const reachOf = (session: Session, sessionAs: SessionAs): TransactionReach =>
  reachOn({ sql: connectionOf(session.stores), session, sessionAs })
