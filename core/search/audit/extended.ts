import { hostDocument, type Session } from '../../content/documents/index.js'
import { type DocumentRecord, isBlobValue } from '../../model/properties/index.js'
import { isArchivoltError } from '../../platform/errors/index.js'
import type { CoreEvent, JsonValue } from '../../platform/events/index.js'
import { shortened } from '../../platform/limits/index.js'
import { bareSource } from '../../platform/sandbox/expressions/index.js'
import type { AuditedEvent } from './audit-point.js'

type Extended = { [key: string]: JsonValue }

/** An event as it was written, with who caused it and when. */
export type HappenedEvent = CoreEvent & { principal: string; createdAt: Date }

/** Called with an expression that could not be evaluated: its key is left out of the entry. */
export type OnFailure = (error: unknown, event: HappenedEvent, key: string) => void

/** Characters of one value, as JSON. */
const MAX_VALUE = 10_000

/** What no database keeps: expressions may cut a pair in two. */
const UNSTORABLE = /\0|\p{Surrogate}/gu

/** Long texts are cut, other long values left out. */
const smallOnes = (extended: Extended): Extended =>
  Object.fromEntries(
    Object.entries(extended)
      .filter(([, value]) => typeof value === 'string' || JSON.stringify(value).length <= MAX_VALUE)
      .map(([key, value]) => [key, typeof value === 'string' ? shortened(value, MAX_VALUE) : value]),
  )

const isKept = (value: unknown): boolean => value !== null && value !== undefined && !isBlobValue(value)

/** A value as an entry keeps it: JSON, without nulls and files inside of lists and maps (workflow-audit.md §6). */
const keptValue = (value: unknown): JsonValue => {
  if (typeof value === 'string') return value.replace(UNSTORABLE, '\uFFFD')
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.filter(isKept).map(keptValue)
  if (typeof value !== 'object' || value === null) return value as JsonValue
  if ('documentRef' in value) return String(value.documentRef)
  return keptMap(value)
}

const keptMap = (map: object): Extended =>
  Object.fromEntries(
    Object.entries(map)
      .filter(([, value]) => isKept(value))
      .map(([key, value]) => [key, keptValue(value)]),
  )

const scopeOf = (session: Session, event: HappenedEvent, document: DocumentRecord | undefined) => {
  const host = document && hostDocument(session, document)
  const facts = {
    name: event.event,
    documentId: event.documentId,
    principal: event.principal,
    time: event.createdAt.toISOString(),
    properties: event.payload,
  }
  return {
    ...(host && { document: host }),
    input: host ?? null,
    // `message`, `source` and `principal` are what existing expressions name (workflow-audit.md §6).
    variables: { Event: facts, message: facts, source: host ?? null, principal: { name: event.principal } },
    principal: session.principal,
    now: event.createdAt,
    env: {},
  }
}

/** The extended information of an entry: what the event brings itself, beside the values of expressions. */
export const extendedOf = async (
  session: Session,
  {
    event,
    document,
    audited,
  }: { event: HappenedEvent; document: DocumentRecord | undefined; audited: AuditedEvent | undefined },
  onFailure: OnFailure,
): Promise<Extended> => {
  const { extendedInfos: own } = event.payload
  const extended = typeof own === 'object' && own !== null ? keptMap(own) : {}
  const expressions = Object.entries(audited?.extendedInfos ?? {})
  if (expressions.length === 0) return smallOnes(extended)
  const scope = scopeOf(session, event, document)
  for (const [key, text] of expressions) {
    try {
      const value = await session.expressions.evaluate(bareSource(text), scope)
      if (isKept(value)) extended[key] = keptValue(value)
    } catch (error) {
      if (!isArchivoltError(error)) throw error
      onFailure(error, event, key)
    }
  }
  return smallOnes(extended)
}
