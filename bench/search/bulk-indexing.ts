import { beginIndex, fillIndex } from '../../core/search/indexing/index.js'
import { alternate, median, timed } from '../harness/rounds.js'
import type { Figure } from '../harness/types.js'
import type { Searched } from './open.js'
import { engineTime, ownTime } from './processor-time.js'
import { sourcesOf } from './sources.js'

/**
 * Building an index of a repository, its documents read and mapped, against the client's bulk helper with bodies that
 * are made already.
 */
export const measureBulkIndexing = async (
  { platform, sides, client }: Searched,
  rounds: number,
): Promise<Figure[]> => {
  const { feed, engine } = sides
  const sources = await sourcesOf({ platform, sides })
  const spent: { ours: number[]; floor: number[] } = { ours: [], floor: [] }

  /** Documents a second; the processor time of the client and of Elasticsearch beside it. */
  const rate = (who: keyof typeof spent, fill: (name: string) => Promise<unknown>) => async () => {
    const name = engine.newName()
    await engine.create(name)
    const used = async () => ownTime() + (await engineTime(client))
    const before = await used()
    const time = await timed(() => fill(name))
    spent[who].push((((await used()) - before) * 1_000) / sources.length)
    await feed.forget(name)
    await engine.remove(name)
    return (sources.length * 1_000) / time
  }

  const build = async (name: string): Promise<void> => {
    await beginIndex(sides, name)
    await fillIndex(sides, name, { from: { after: null, done: 0 }, report: () => undefined })
  }
  const bare = (name: string) =>
    client.helpers.bulk({
      datasource: sources,
      onDocument: ({ id, source }) => [
        { index: { _index: name, _id: id, version: 1, version_type: 'external' } },
        source,
      ],
    })
  const rates = await alternate(rounds, { ours: rate('ours', build), floor: rate('floor', bare) })
  return [
    { name: `bulk indexing of ${sources.length} documents`, unit: '1/s', ...rates, goal: { least: 0.8 } },
    { name: 'bulk indexing, absolute', unit: '1/s', ours: rates.ours, goal: { least: 3_000 } },
    {
      name: 'bulk indexing, processor time of 1,000 documents',
      unit: 'ms',
      ours: median(spent.ours),
      floor: median(spent.floor),
    },
  ]
}
