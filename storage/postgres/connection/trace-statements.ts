import { SpanKind } from '@opentelemetry/api'
import { failSpan, inSpan, isTraced, startSpan } from '../../../core/platform/telemetry/index.js'
import type { Sql } from './database.js'
import type { WithCommit } from './transaction.js'

const DATABASE = { 'db.system.name': 'postgresql' }

/**
 * What the driver's statements consist of. It tells nobody when one is sent and answered, so that its own two
 * ends are taken hold of; a statement that is part of another is never sent, and has no span.
 */
type Statement = {
  handler(statement: Statement): unknown
  resolve(result: unknown): void
  reject(error: unknown): void
  /** With placeholders, never with values; known once it has been sent. */
  statement: { string: string } | null
}

const isStatement = (value: unknown): value is Statement =>
  value instanceof Promise && 'handler' in value && typeof value.handler === 'function'

/** Few and readable names: `SELECT documents`. */
export const statementName = (text: string): string => {
  const operation = /\w+/.exec(text)?.[0].toUpperCase() ?? 'SQL'
  const table = /\b(?:from|into|update|table)\s+"?([a-z_]\w*)/i.exec(text)?.[1]
  return table === undefined ? operation : `${operation} ${table}`
}

/** Does something before one of the ends of a statement, also of one that is put in its place: a cursor does so with each read. */
const beforeEnd = (statement: Statement, end: 'resolve' | 'reject', work: (given: unknown) => void): void => {
  let own = statement[end]
  Object.defineProperty(statement, end, {
    get: () => (given: unknown) => {
      work(given)
      own.call(statement, given)
    },
    set: (next: typeof own) => {
      own = next
    },
  })
}

const traceStatement = (statement: Statement): void => {
  const { handler } = statement
  statement.handler = (sent) => {
    if (!isTraced()) return handler(sent)
    const span = startSpan('SQL', { kind: SpanKind.CLIENT, attributes: DATABASE })
    const end = (): void => {
      const text = statement.statement?.string
      if (text !== undefined) span.updateName(statementName(text)).setAttribute('db.query.text', text)
      span.end()
    }
    beforeEnd(statement, 'resolve', end)
    beforeEnd(statement, 'reject', (error) => {
      failSpan(span, error)
      end()
    })
    return handler(sent)
  }
}

const tracing =
  (call: (...args: never[]) => unknown) =>
  (...args: never[]): unknown => {
    const made = call(...args)
    if (isStatement(made)) traceStatement(made)
    return made
  }

/** The same pool or transaction, with a span for each statement that is sent inside of a trace. */
export const traceStatements = <Traced extends Sql>(sql: Traced): Traced =>
  new Proxy(sql, {
    apply: (target, _, args: never[]) => tracing(target as unknown as (...args: never[]) => unknown)(...args),
    get: (target, name, receiver) => {
      if (name === 'unsafe') return tracing(target.unsafe as (...args: never[]) => unknown)
      return Reflect.get(target, name, receiver)
    },
  })

/** Runs a transaction in a span of its own, below which its statements are, BEGIN and COMMIT in its time. */
export const traceTransaction = <Result>(
  work: (sql: Sql, withCommit: WithCommit) => Promise<Result>,
  begin: (work: (sql: Sql, withCommit: WithCommit) => Promise<Result>) => Promise<Result>,
): Promise<Result> => {
  if (!isTraced()) return begin(work)
  return inSpan('transaction', { kind: SpanKind.CLIENT, attributes: DATABASE }, () =>
    begin((sql, withCommit) => work(traceStatements(sql), withCommit)),
  )
}
