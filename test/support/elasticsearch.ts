import { randomUUID } from 'node:crypto'
import { Client } from '@elastic/elasticsearch'
import { afterAll, inject } from 'vitest'

/** Settings of a platform whose searches Elasticsearch answers, in indexes of the file's own. */
export type TestElasticsearch = { ELASTICSEARCH_URL: string; ARCHIVOLT_ELASTICSEARCH_INDEX: string }

const removeIndexes = async (url: string, prefix: string): Promise<void> => {
  const client = new Client({ node: url })
  const indexes = Object.keys(await client.indices.getSettings({ index: `${prefix}*` }))
  for (const index of indexes) await client.indices.delete({ index })
  await client.close()
}

/**
 * Starts the Elasticsearch of the run unless another file has. Call it at the top level of a test file.
 *
 * @returns undefined where the machine cannot run it, whose tests are skipped then; under CI that is a failure.
 */
export const elasticsearchSettings = async (): Promise<TestElasticsearch | undefined> => {
  const response = await fetch(inject('onDemand'))
  const text = await response.text()
  if (!response.ok) {
    if (process.env.CI) throw new Error(`Elasticsearch cannot be started: ${text}`)
    return undefined
  }
  const prefix = `test-${randomUUID()}`
  afterAll(() => removeIndexes(text, prefix))
  return { ELASTICSEARCH_URL: text, ARCHIVOLT_ELASTICSEARCH_INDEX: prefix }
}
