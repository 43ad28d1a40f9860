import type { Logger } from 'pino'
import { type PermissionModel, permissionsRegistry } from '../../core/access/security/index.js'
import { CHAINS, SCRIPTS } from '../../core/automation/chains/index.js'
import { type ContentModel, modelRegistry } from '../../core/model/content-model/index.js'
import {
  type ContributionFeed,
  type ContributionStore,
  createContributionFeed,
  createSnapshots,
  type Snapshot,
  type Snapshots,
} from '../../core/platform/contributions/index.js'
import type { Settings } from '../../core/platform/settings/index.js'
import { configuredPoints, readConfigurationOf, registries } from './configuration.js'

/** A snapshot with what every session needs of it. */
export type PlatformSnapshot = Snapshot & { model: ContentModel; permissions: PermissionModel }

/** What is configured and deployed, for one process. */
export type PlatformSnapshots = {
  /** In force now: a new session takes it and keeps it. */
  latest(): PlatformSnapshot
  snapshots: Snapshots
  feed: ContributionFeed
  store: ContributionStore
}

/**
 * Reads the configuration's files and everything that is deployed, and follows what any process deploys.
 *
 * @throws invalid listing every problem of the files.
 */
export const createPlatformSnapshots = async (
  settings: Settings,
  { store, logger }: { store: ContributionStore; logger: Logger },
): Promise<PlatformSnapshots> => {
  const snapshots = createSnapshots({
    files: await readConfigurationOf(settings.config),
    points: configuredPoints,
    apart: [CHAINS, SCRIPTS],
    definitions: registries,
    onRefused: (contribution, error) =>
      logger.error(
        { contribution, err: error },
        'a deployed contribution does not fit: it is left out, or closed if it may deny',
      ),
  })
  const feed = await createContributionFeed({
    store,
    onError: (error) => logger.error(error, 'deployed contributions could not be read'),
  })
  let known: { snapshot: Snapshot; platform: PlatformSnapshot } | undefined
  return {
    snapshots,
    feed,
    store,
    latest: () => {
      const snapshot = snapshots.of(feed.latest())
      if (known?.snapshot !== snapshot) {
        const model = snapshot.get(modelRegistry)
        const permissions = snapshot.get(permissionsRegistry)
        known = { snapshot, platform: { ...snapshot, model, permissions } }
      }
      return known.platform
    },
  }
}
