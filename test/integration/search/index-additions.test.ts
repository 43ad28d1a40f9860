import { afterAll, describe, expect, test } from 'vitest'
import { parseNxql } from '../../../core/model/nxql/index.js'
import { elasticsearchSettings } from '../../support/elasticsearch.js'
import { soon } from '../../support/soon.js'
import { createIndexedBench } from '../support/indexed-bench.js'
import { ADMINISTRATOR, ANN, input } from '../support/operations-support.js'

const settings = await elasticsearchSettings()

const PAIRS = {
  analysis: {
    analyzer: { pairs: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'two'] } },
    filter: { two: { type: 'shingle', output_unigrams: false } },
  },
  fields: { 'dc:title': { pairs: { type: 'text', analyzer: 'pairs' } } },
  excludes: ['dc:source'],
}

describe.skipIf(!settings)('additions to the search index', async () => {
  if (!settings) return
  const bench = await createIndexedBench(settings)
  afterAll(bench.close)
  const { platform, search, sides, follow, deploy } = bench
  const { id: folder } = await bench.workspace()
  const { id } = await bench.create(folder, 'File', 'report', {
    'dc:title': 'Annual report',
    'dc:source': 'archive',
  })
  await follow()

  const live = async () => (await sides.feed.list()).find(({ state }) => state === 'live')!.name
  const reasonOf = async (query: string) => {
    const { stores, model, now } = platform.readSession(ADMINISTRATOR)
    return stores.search.explain(parseNxql(query), { model, principal: ADMINISTRATOR, now }, 10)
  }
  const hinted =
    "SELECT * FROM File WHERE /*+ES: INDEX(dc:title.pairs) OPERATOR(match) */ dc:title = 'the annual REPORT'"
  const bySource = "SELECT * FROM File WHERE dc:source = 'archive'"

  test('a new analyzer and a field come with an index that is built for them', async () => {
    const before = await live()
    const { warnings } = await deploy('searchIndex', 'pairs', PAIRS)
    expect(JSON.stringify(warnings)).toContain('the search index is built anew for it')
    expect(await search(hinted)).toEqual([])
    expect(await reasonOf(bySource)).toMatchObject({ backend: 'index' })
    // Once a second it is looked whether the model has changed while nothing happens.
    await soon(async () => {
      await follow()
      expect(await live()).not.toBe(before)
    })
    expect(await search(hinted)).toEqual([id])
    const analyzed = hinted.replace(' OPERATOR', ' ANALYZER(pairs) OPERATOR')
    expect(await search(analyzed)).toEqual([id])
  })

  test('what the index leaves out, the database finds', async () => {
    expect(await reasonOf(bySource)).toMatchObject({
      backend: 'database',
      reason: 'dc:source is not in the index',
    })
    expect(await search(bySource)).toEqual([id])
  })

  test('other deployments leave the index as it is, and without the contribution it is built once more', async () => {
    const before = await live()
    await deploy('templates', 'hello', { text: 'Hello you' })
    await follow()
    await follow()
    expect(await live()).toBe(before)
    await bench.deployments.remove({
      principal: ADMINISTRATOR,
      point: 'searchIndex',
      name: 'pairs',
      precondition: {},
    })
    await soon(async () => {
      await follow()
      expect(await live()).not.toBe(before)
    })
    expect(await reasonOf(bySource)).toMatchObject({ backend: 'index' })
    expect(await search(bySource)).toEqual([id])
  })

  test('hints find what is near, and what is like documents that the caller may browse', async () => {
    const properties = (n: number, place: string) => ({
      'dc:title': `cormorants by the sea ${n}`,
      'dc:rights': place,
    })
    const near = await bench.create(folder, 'File', 'near', properties(1, '48.85,2.35'))
    const far = await bench.create(folder, 'File', 'far', properties(2, '52.52,13.40'))
    const other = await bench.workspace()
    const hidden = await bench.create(other.id, 'File', 'hidden', properties(3, '0,0'))
    await bench.run('Document.BlockPermissionInheritance', { input: input(other), params: {} })
    const fields = { 'dc:rights': { place: { type: 'geo_point' } } }
    await bench.run('Document.Update', {
      input: input(far),
      params: { properties: { 'dc:description': 'the other' } },
    })
    await deploy('searchIndex', 'places', { fields })
    await follow()
    await follow()
    const found = (hint: string, values: readonly string[], as = ADMINISTRATOR) => {
      const list = values.map((value) => `'${value}'`).join(', ')
      return search(
        `SELECT * FROM File WHERE /*+ES: ${hint} */ dc:title IN (${list}) AND dc:title LIKE 'cormorants by%' ORDER BY dc:title`,
        as,
      )
    }
    const place = 'INDEX(dc:rights.place) OPERATOR'
    expect(await found(`${place}(geo_distance)`, ['48.86,2.34', '20km'])).toEqual([near.id])
    expect(await found(`${place}(geo_bounding_box)`, ['48,2', '53,14'])).toEqual([near.id, far.id])
    const likeness = 'INDEX(dc:title.fulltext) OPERATOR(more_like_this)'
    expect(await found(likeness, [near.id])).toEqual([far.id, hidden.id])
    expect(await found(likeness, [near.id], ANN)).toEqual([far.id])
    expect(await found(likeness, [hidden.id])).toEqual([near.id, far.id])
    expect(await found(likeness, [hidden.id], ANN)).toEqual([])
    expect(await found('INDEX(dc:title) OPERATOR(match)', ['cormorants by the sea 1', 'none'])).toEqual([
      near.id,
    ])
  })

  test('what is unknown is refused with the field', async () => {
    const unknown = { fields: { 'dc:none': { x: { type: 'text' } } } }
    await expect(deploy('searchIndex', 'none', unknown)).rejects.toThrow('no such property: dc:none')
    const filter = ['lowercase', 'nowhere']
    const broken = { analysis: { analyzer: { broken: { type: 'custom', tokenizer: 'standard', filter } } } }
    await expect(deploy('searchIndex', 'broken', broken)).rejects.toThrow(
      /search engine refuses it: .*\[broken\].*\[nowhere\]/,
    )
  })
})
