import type { SearchBackend } from '../../../core/content/stores/index.js'
import { isPropertyTrue } from '../../../core/platform/configuration/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { AUDIT_INDEXED } from '../../../core/search/audit/index.js'
import { ELASTICSEARCH_ENABLED } from '../../../core/search/indexing/index.js'
import { auditIndexOf, createAuditIndex } from '../audit/index.js'
import { asking, createIndexEngine, createShapes, openClient } from '../engine/index.js'
import { createEngineSearches } from '../passthrough/index.js'
import { awaitLive, createAvailability } from './availability.js'
import { createSearch } from './backend.js'
import { demandedOf } from './demands.js'
import { rightsOf } from './rights.js'
import { createSettled } from './settled.js'
import { shareSearches } from './sharing.js'
import { createSwitch } from './switch.js'

/** Milliseconds after which an engine that does not answer a ping, or how it is, is away. */
const PING_MS = 1_000

/** The repository answers searches as it answers all queries. */
const withoutIndex: Awaited<ReturnType<SearchBackend['open']>> = {
  on: ({ queries }) => queries,
  healthChecks: [],
  followModel: async () => undefined,
  close: async () => undefined,
}

/**
 * Searches by Elasticsearch where the settings name one. Whatever it cannot answer, and everything while it is away,
 * the repository does: it takes every query, and has checked those that are given before they are asked.
 */
export const elasticsearch: SearchBackend = {
  check: () => undefined,
  open: async ({ settings, logger, feeds, deployed }) => {
    if (!settings.elasticsearch) return withoutIndex
    const { url, index } = settings.elasticsearch
    const client = await openClient(url)
    const isEnabled = createSwitch(
      () => isPropertyTrue(deployed().contributions, ELASTICSEARCH_ENABLED),
      logger,
    )
    const isAlive = () =>
      client.ping({}, { requestTimeout: PING_MS, maxRetries: 0 }).then(
        () => true,
        () => false,
      )
    const sharing = shareSearches()
    const shapes = createShapes(client)
    const isAuditIndexed = () => isEnabled() && isPropertyTrue(deployed().contributions, AUDIT_INDEXED)
    const repositories = [...feeds].map(([repository, feed]) => {
      const availability = createAvailability(feed, { isEnabled, isAlive, logger })
      const auditIndex = createAuditIndex({ client, index: auditIndexOf(index, repository) })
      return {
        repository,
        sides: { feed, engine: createIndexEngine({ client, index, repository, rules: deployed, shapes }) },
        availability,
        auditIndex,
        settled: createSettled({ feed, availability, auditIndex, isAuditIndexed }),
      }
    })
    const byName = new Map(repositories.map((own) => [own.repository, own]))
    return {
      on: (stores) => {
        const own = byName.get(stores.repository)
        if (!own) return stores.queries
        return createSearch({ client, sharing, shapes, ...own }, stores)
      },
      healthChecks: [
        {
          name: 'elasticsearch',
          isRequired: false,
          check: async () => {
            // Whoever asks will ask again. Attempts of the client are seconds apart, for which a start would wait.
            const once = { requestTimeout: PING_MS, maxRetries: 0 }
            if (isEnabled()) await asking(() => client.cluster.health({}, once))
          },
        },
      ],
      indexing: new Map(repositories.map(({ repository, sides }) => [repository, sides])),
      auditIndexes: new Map(repositories.map(({ repository, auditIndex }) => [repository, auditIndex])),
      engineSearches: createEngineSearches({
        client,
        auditIndex: auditIndexOf(index, '*'),
        repositories: new Map(
          repositories.map(({ repository, sides, availability }) => [
            repository,
            { sides, isLive: (principal) => awaitLive(availability, principal) },
          ]),
        ),
        rightsOf: async ({ feed }, live, { principal, reading, demanded }) => {
          const rights = await rightsOf(feed, principal, reading)
          if (!rights)
            throw fail(
              'unavailable',
              'You may browse more access scopes than one search of the index can name',
            )
          return demanded ? [...rights, ...(await demandedOf({ shapes, feed }, live, demanded))] : rights
        },
        sharing,
        timeoutMs: repositories[0]!.availability.waitTimeoutMs,
      }),
      // Whatever feeds an index fits it to the model before it writes. A start says whether the index is switched off.
      followModel: async () => void isEnabled(),
      close: () => client.close(),
    }
  },
}
