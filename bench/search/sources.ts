import { type Source, sourceOf } from '../../storage/elasticsearch/mapping/index.js'
import type { Searched } from './open.js'

const PAGE = 500

/** What the index receives of each document of a repository, made before anything is measured. */
export const sourcesOf = async ({
  platform,
  sides: { feed },
}: Pick<Searched, 'platform' | 'sides'>): Promise<{ id: string; source: Source }[]> => {
  const place = { model: platform.snapshot().model, repository: platform.repository, excludes: [] }
  const sources: { id: string; source: Source }[] = []
  for (let after: string | null = null; ; ) {
    const ids: string[] = await feed.page(after, PAGE)
    for (let left: readonly string[] = ids; left.length > 0; ) {
      const { documents, rest } = await feed.read(left)
      for (const document of documents)
        sources.push({ id: document.record.id, source: sourceOf(document, place) })
      left = rest
    }
    const last = ids.at(-1)
    if (ids.length < PAGE || last === undefined) return sources
    after = last
  }
}
