import type { Client } from '@elastic/elasticsearch'
import type { IndexEngine } from '../../../core/content/stores/index.js'
import type { ContentModel } from '../../../core/model/content-model/index.js'
import { INDEX_SETTINGS, mappingOf } from '../mapping/index.js'
import { asking, hasStatus } from './client.js'
import { createReads } from './read.js'
import { createWrite } from './write.js'

/** Name of what answers the searches of a repository, whichever index stands behind it. */
const aliasOf = (index: string, repository: string): string => `${index}-${repository.toLowerCase()}`

type EngineOptions = {
  client: Client
  /** What names of indexes begin with. */
  index: string
  repository: string
  model: () => ContentModel
}

/** The indexes of one repository in Elasticsearch. */
export const createIndexEngine = ({ client, index, repository, model }: EngineOptions): IndexEngine => {
  const alias = aliasOf(index, repository)
  return {
    newName: () =>
      `${alias}-${new Date()
        .toISOString()
        .toLowerCase()
        .replaceAll(/[^0-9]/g, '')}`,

    create: async (name) => {
      await asking(() =>
        client.indices.create({ index: name, settings: INDEX_SETTINGS, mappings: mappingOf(model()) }),
      )
    },

    exists: (name) => asking(() => client.indices.exists({ index: name })),

    remove: async (name) => {
      await asking(() => client.indices.delete({ index: name, ignore_unavailable: true }))
    },

    promote: async (name) => {
      const actions = [
        { remove: { index: `${alias}-*`, alias, must_exist: false } },
        { add: { index: name, alias } },
      ]
      await asking(() => client.indices.updateAliases({ actions }))
    },

    fit: async (name) => {
      const { properties } = mappingOf(model())
      try {
        await asking(() => client.indices.putMapping({ index: name, properties }))
        return true
      } catch (error) {
        // A field has another type than it had.
        if (hasStatus(error, 400)) return false
        throw error
      }
    },

    write: createWrite(client, () => ({ model: model(), repository })),

    refresh: async (name) => {
      await asking(() => client.indices.refresh({ index: name }))
    },

    ...createReads(client),
  }
}
