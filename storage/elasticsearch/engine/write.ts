import type { Client } from '@elastic/elasticsearch'
import type { IndexEngine, IndexWrite } from '../../../core/content/stores/index.js'
import type { ContentModel } from '../../../core/model/content-model/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { sourceOf } from '../mapping/index.js'
import { asking } from './client.js'

/** Bytes of one request, and how long to wait when the engine has too much to do, milliseconds. */
const FLUSH_BYTES = 5_000_000
const WAIT_MS = 1_000

/**
 * Characters of one entry. Elasticsearch holds several of each it takes in memory: a few very large ones end it, and
 * it would be given them again.
 */
const MAX_ENTRY = 4 * 1024 * 1024

/** What is there already is newer, or what is to go is not there. */
const FINE = [404, 409]

type Place = { model: ContentModel; repository: string; excludes: readonly string[] }

type Refused = { id: string; reason: string }

/** The lines of a write; what is too large has no entry, so that none shows an earlier state. */
const actionOf = (
  { id, version, document }: IndexWrite,
  { name, place, refused }: { name: string; place: Place; refused: Refused[] },
) => {
  const entry = { _index: name, _id: id, version, version_type: 'external' as const }
  if (!document) return { delete: entry }
  const source = JSON.stringify({ ...sourceOf(document, place), 'ecm:version': version })
  if (source.length <= MAX_ENTRY) return [{ index: entry }, source] as const
  refused.push({ id, reason: `its entry has ${source.length} characters, at most ${MAX_ENTRY} are indexed` })
  return { delete: entry }
}

/**
 * Writes entries in requests of some megabytes, again while the engine has too much to do.
 *
 * @throws unavailable when it is away, or has too much to do for long.
 */
export const createWrite =
  (client: Client, placeOf: (name: string) => Promise<Place>): IndexEngine['write'] =>
  async (name, writes) => {
    const refused: Refused[] = []
    let busy = 0
    const place = await placeOf(name)
    await asking(() =>
      client.helpers.bulk<IndexWrite>({
        datasource: [...writes],
        onDocument: (write) => actionOf(write, { name, place, refused }) as never,
        flushBytes: FLUSH_BYTES,
        concurrency: 1,
        retries: 5,
        wait: WAIT_MS,
        onDrop: ({ status, error, operation }) => {
          if (FINE.includes(status)) return
          if (status === 429 || status >= 500) busy += 1
          else refused.push({ id: idOf(operation), reason: reasonOf(error) })
        },
      }),
    )
    if (busy > 0) throw fail('unavailable', `The search engine has not taken ${busy} documents`)
    return refused
  }

const idOf = (operation: object): string =>
  Object.values(operation as { [name: string]: { _id?: string } })[0]?._id ?? ''

const reasonOf = (error: { type?: string; reason?: string | null; caused_by?: unknown } | null): string => {
  if (!error) return 'unknown'
  const cause = error.caused_by as { reason?: string } | undefined
  return [error.type, error.reason, cause?.reason].filter(Boolean).join(': ')
}
