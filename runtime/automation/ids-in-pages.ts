import { SYSTEM } from '../../core/access/security/index.js'
import type { ContentStores } from '../../core/content/stores/index.js'
import type { Platform } from '../platform.js'

/** Ids of one look. */
const PAGE = 100

/**
 * Ids of every repository, in pages: the next one is read when the caller has done with all of the page before.
 *
 * @param read ids of a repository behind the one of an id, in their order.
 */
export async function* idsInPages(
  { repositories }: Pick<Platform, 'repositories'>,
  read: (
    stores: ContentStores,
    asked: { after: string | undefined; limit: number },
  ) => Promise<readonly string[]>,
): AsyncGenerator<{ repository: string; id: string }> {
  for (const [repository, { readSession }] of repositories) {
    const { stores } = readSession(SYSTEM)
    for (let after: string | undefined, isMore = true; isMore; ) {
      const found = await read(stores, { after, limit: PAGE })
      for (const id of found) yield { repository, id }
      after = found.at(-1)
      isMore = found.length === PAGE
    }
  }
}
