import { hostDocument, type Session, versionLabel } from '../../content/documents/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import type { ScriptPlace } from './place.js'
import { encodeJson, rememberDocument, type ScriptTable } from './script-values.js'

/** Documents whose facts travel together, when a script begins to read those of a list. */
const FACTS_AT_ONCE = 100
const FACTS_LENGTH = 256 * 1024

/** What a script reads of a document without asking again, by the document's index. */
export type Fact = readonly [index: number, facts: unknown]

/** The rest is sent from when a script has asked for it: until then most look at no more than names and paths. */
export const factOf = (
  { session, table }: { session: Session; table: ScriptTable },
  index: number,
  record: DocumentRecord,
): Fact => {
  const { id, name, path, type, lifecycleState: lifeCycle } = record
  const core = { id, ref: id, name, path, type, lifeCycle, versionLabel: versionLabel(record) }
  return [
    index,
    { core, ...(table.includesRest && { rest: JSON.stringify(restOf({ session, table }, record)) }) },
  ]
}

const restOf = ({ session, table }: { session: Session; table: ScriptTable }, record: DocumentRecord) => {
  const { facets, schemas, isProxy, isVersion, lockOwner, isFolder } = hostDocument(session, record)
  const isLocked = lockOwner !== null
  const isImmutable = isVersion || facets.includes('Immutable')
  return {
    more: { facets, schemas, isProxy, isVersion, isLocked, isFolder, isImmutable },
    properties: encodeJson(record.properties, table),
  }
}

/** Facts of a document that a script begins to read, and of those that it was given after it. @throws notFound. */
export const factsOf = async ({ session, reader, scripts }: ScriptPlace, first: number): Promise<Fact[]> => {
  const { table } = scripts
  const known = table.documents.slice(first, first + FACTS_AT_ONCE)
  const unread = known.flatMap(({ id, record }) => (record ? [] : [id]))
  const read = unread.length > 0 ? await reader.many({ type: 'documents', ids: unread }) : []
  for (const record of read) rememberDocument(table, { id: record.id, record })
  const facts: Fact[] = []
  let length = 0
  for (let index = first; index < first + known.length; index++) {
    const { id, record } = table.documents[index]!
    if (!record) {
      if (index > first) continue
      throw fail('notFound', `The document ${id} does not exist, or may not be seen`)
    }
    const fact = factOf({ session, table }, index, record)
    length += JSON.stringify(fact).length
    if (length > FACTS_LENGTH && facts.length > 0) break
    facts.push(fact)
  }
  return facts
}
