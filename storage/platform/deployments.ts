import { CHAINS, type ChainRegistry, createChainHandler } from '../../core/chains/index.js'
import { modelRegistry } from '../../core/content-model/index.js'
import {
  type ContributionDeployments,
  configuredPoint,
  createContributionDeployments,
  type PointHandler,
} from '../../core/contributions/index.js'
import { applyFulltextRules } from '../postgres/index.js'
import { configuredPoints } from './configuration.js'
import type { Platform } from './platform.js'
import { checkUsageIn } from './usage.js'

/** Deployment at run time to every extension point: chains with a registry of their own, the others merged. */
export const createDeployments = (
  { deployed, databases }: Pick<Platform, 'deployed' | 'databases'>,
  chains: ChainRegistry,
): ContributionDeployments => {
  const { store, feed, snapshots } = deployed
  const checkUsage = checkUsageIn(databases)
  const configured = configuredPoints
    .filter(({ point }) => point !== CHAINS)
    .map((point) => configuredPoint({ point, snapshots, checkUsage }))
  // A handler is given no content but its own point's.
  const handlers = [...configured, createChainHandler(chains) as PointHandler]
  // The rules of the start; what chains change leaves the model as it is.
  let applied = snapshots.of(feed.latest()).get(modelRegistry).fulltext
  return createContributionDeployments({
    store,
    feed,
    handlers,
    onChanged: async (now) => {
      const { fulltext } = snapshots.of(now).get(modelRegistry)
      if (fulltext === applied) return
      for (const { transaction } of databases) await transaction((sql) => applyFulltextRules(sql, fulltext))
      applied = fulltext
    },
  })
}
