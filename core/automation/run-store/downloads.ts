import type { Session } from '../../content/documents/index.js'
import { type BlobValue, isBlobValue, type PropertyValue } from '../../model/properties/index.js'
import type { TransientStore } from '../language/index.js'

const DAY_MS = 24 * 60 * 60 * 1000

const entryKey = (key: string): string => `download/${key}`

type Kept = { user: string; until: string; blob: { [field: string]: PropertyValue } }

/** Keeps a file that belongs to no document for a day, for its caller alone. */
export const keepDownload = (
  store: TransientStore,
  {
    key,
    blob,
    session: { principal, now },
  }: { key: string; blob: BlobValue; session: Pick<Session, 'principal' | 'now'> },
): Promise<void> => {
  const until = new Date(now.getTime() + DAY_MS).toISOString()
  const kept: Kept = { user: principal.name, until, blob }
  return store.put(entryKey(key), kept)
}

/**
 * The file that was kept under a key; undefined when there is none, it is another user's, or its day is over.
 */
export const findDownload = async (
  store: TransientStore,
  { key, session: { principal, now } }: { key: string; session: Pick<Session, 'principal' | 'now'> },
): Promise<BlobValue | undefined> => {
  const kept = (await store.get(entryKey(key))) as Kept | undefined
  const isOwn = kept?.user === principal.name && kept.until > now.toISOString()
  return isOwn && isBlobValue(kept.blob) ? kept.blob : undefined
}
