import { SpanKind } from '@opentelemetry/api'
import { failSpan, inSpan, isTraced, startSpan } from '../../../core/platform/telemetry/index.js'
import { atEnd, isStatement, type Observer } from '../pool/index.js'
import type { Sql } from './database.js'
import type { WithCommit } from './transaction.js'

const DATABASE = { 'db.system.name': 'postgresql' }

/** Few and readable names: `SELECT documents`. */
export const statementName = (text: string): string => {
  const operation = /\w+/.exec(text)?.[0].toUpperCase() ?? 'SQL'
  const table = /\b(?:from|into|update|table)\s+"?([a-z_]\w*)/i.exec(text)?.[1]
  return table === undefined ? operation : `${operation} ${table}`
}

/** Begins a span for a statement that is sent inside of a trace. */
export const observeStatement: Observer = (statement) => {
  if (!isTraced()) return undefined
  const span = startSpan('SQL', { kind: SpanKind.CLIENT, attributes: DATABASE })
  return (error) => {
    if (error !== undefined) failSpan(span, error)
    const text = statement.statement?.string
    if (text !== undefined) span.updateName(statementName(text)).setAttribute('db.query.text', text)
    span.end()
  }
}

const tracing =
  (call: (...args: never[]) => unknown) =>
  (...args: never[]): unknown => {
    const made = call(...args)
    if (!isStatement(made)) return made
    const { handler } = made
    made.handler = (statement) => {
      const ended = observeStatement(statement)
      if (ended) atEnd(statement, ended)
      return handler(statement)
    }
    return made
  }

/** The same transaction, with a span for each statement that is sent inside of a trace. */
const traceStatements = (sql: Sql): Sql =>
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
