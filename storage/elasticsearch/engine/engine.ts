import { randomUUID } from 'node:crypto'
import type { Client, errors } from '@elastic/elasticsearch'
import type { IndexEngine } from '../../../core/content/stores/index.js'
import type { ContentModel } from '../../../core/model/content-model/index.js'
import type { Contributions } from '../../../core/platform/contributions/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { indexShapeOf } from '../../../core/search/index-shape/index.js'
import { BUILT, mappingOf, settingsOf } from '../mapping/index.js'
import { asking, hasStatus } from './client.js'
import { createReads } from './read.js'
import type { Shapes } from './shapes.js'
import { createWrite } from './write.js'

/** Name of what answers the searches of a repository, whichever index stands behind it. */
const aliasOf = (index: string, repository: string): string => `${index}-${repository.toLowerCase()}`

type Rules = { model: ContentModel; contributions: Contributions }

type EngineOptions = {
  client: Client
  /** What names of indexes begin with. */
  index: string
  repository: string
  /** What holds at the moment of the call. */
  rules: () => Rules
  shapes: Shapes
}

/** What is wrong, and what has made it so. */
const reasonOf = ({ body }: errors.ResponseError): string => {
  const { reason, caused_by } = (body?.error ?? {}) as { reason?: string; caused_by?: { reason?: string } }
  return [reason, caused_by?.reason].filter((each) => each !== undefined).join(': ')
}

/** The indexes of one repository in Elasticsearch. */
export const createIndexEngine = ({
  client,
  index,
  repository,
  rules,
  shapes,
}: EngineOptions): IndexEngine => {
  const alias = aliasOf(index, repository)
  const shapeOf = ({ model, contributions }: Rules) => indexShapeOf(contributions, model)
  const create = async (name: string, of: Rules): Promise<void> => {
    const shape = shapeOf(of)
    const mappings = mappingOf(of.model, shape)
    await asking(() => client.indices.create({ index: name, settings: settingsOf(shape), mappings }))
  }
  const remove = async (name: string): Promise<void> => {
    await asking(() => client.indices.delete({ index: name, ignore_unavailable: true }))
  }
  return {
    newName: () =>
      `${alias}-${new Date()
        .toISOString()
        .toLowerCase()
        .replaceAll(/[^0-9]/g, '')}`,

    create: (name) => create(name, rules()),

    tryOut: async (of) => {
      const name = `${alias}-trial-${randomUUID()}`
      try {
        await create(name, of)
      } catch (cause) {
        if (!hasStatus(cause, 400)) throw cause
        throw fail('invalid', `The search engine refuses it: ${reasonOf(cause as errors.ResponseError)}`, {
          cause,
        })
      }
      await remove(name)
    },

    exists: (name) => asking(() => client.indices.exists({ index: name })),

    remove,

    promote: async (name) => {
      await asking(() => client.indices.putSettings({ index: name, settings: BUILT }))
      const actions = [
        { remove: { index: `${alias}-*`, alias, must_exist: false } },
        { add: { index: name, alias } },
      ]
      await asking(() => client.indices.updateAliases({ actions }))
    },

    fit: async (name) => {
      const of = rules()
      const shape = shapeOf(of)
      const made = await asking(() => shapes.of(name))
      if (JSON.stringify(made) !== JSON.stringify(shape)) return false
      const { properties } = mappingOf(of.model, shape)
      try {
        await asking(() => client.indices.putMapping({ index: name, properties }))
        return true
      } catch (error) {
        // A field has another type than it had.
        if (hasStatus(error, 400)) return false
        throw error
      }
    },

    write: createWrite(client, async (name) => {
      const { excludes = [] } = (await asking(() => shapes.of(name))) ?? {}
      return { model: rules().model, repository, excludes }
    }),

    refresh: async (name) => {
      await asking(() => client.indices.refresh({ index: name }))
    },

    ...createReads(client),
  }
}
