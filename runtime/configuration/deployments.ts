import { keepAdministrator } from '../../core/access/identity/index.js'
import {
  CHAINS,
  type ChainRegistry,
  createChainHandler,
  createScriptHandler,
  SCRIPTS,
} from '../../core/automation/chains/index.js'
import { type KnownNames, knownNamesRegistry } from '../../core/automation/lint/index.js'
import { schedulesPoint } from '../../core/automation/schedules/index.js'
import { directoriesPoint } from '../../core/content/directories/index.js'
import { modelRegistry } from '../../core/model/content-model/index.js'
import { isPropertyTrue } from '../../core/platform/configuration/index.js'
import {
  type ContributionDeployments,
  configuredPoint,
  createContributionDeployments,
  type Deployed,
  type Finding,
  type PointHandler,
  type Snapshot,
  type UsageCheck,
} from '../../core/platform/contributions/index.js'
import { createHttpRules } from '../../core/platform/http/index.js'
import { indexShapeOf, searchIndexPoint } from '../../core/search/index-shape/index.js'
import { ELASTICSEARCH_ENABLED } from '../../core/search/indexing/index.js'
import type { Database } from '../../storage/postgres/index.js'
import { checkStarters, keepingStarters, starterChecks } from '../automation/chain-starters.js'
import { backends } from '../backends.js'
import { mainDataRules } from '../main-data.js'
import type { Platform } from '../platform.js'
import { configuredPoints } from './configuration.js'
import { deploymentWarnings } from './deployment-warnings.js'
import { createDeploymentData } from './directory-data.js'
import { checkUsageIn } from './usage.js'

/** Data are loaded again, and what names no user runs as whoever deployed it last. */
const REDEPLOYED: { readonly [point: string]: 'always' | 'byOthers' } = {
  [directoriesPoint.point]: 'always',
  [schedulesPoint.point]: 'byOthers',
}

/** What its author has to know: searches go on with what the index had before. */
const REBUILT: Finding = {
  path: [],
  message: 'the search index is built anew for it; until it is complete, the present one answers as before',
}

/** Deployment at run time to every extension point: chains with a registry of their own, the others merged. */
export const createDeployments = (
  {
    deployed,
    database,
    databases,
    settings,
    repositories: byName,
    followModel,
    indexing,
  }: Pick<
    Platform,
    'deployed' | 'database' | 'databases' | 'settings' | 'repositories' | 'followModel' | 'indexing'
  >,
  chains: ChainRegistry,
): ContributionDeployments => {
  const { store, feed, snapshots } = deployed
  const repositories = [...byName.keys()]
  const data = createDeploymentData(database, settings.config)
  const checkUsages = checkUsageIn(databases)
  const checkUsage: UsageCheck = async (change) => {
    await checkUsages(change)
    await checkAdministrators(database, change)
    await checkStarters(database, { registry: chains.of(change.deployed), repositories }, change)
    await data.check(change)
    await checkIndex(change, indexing)
  }
  const namesOf = (now: Deployed): KnownNames => snapshots.of(now).get(knownNamesRegistry)
  const warnings = deploymentWarnings(chains, createHttpRules(settings.httpAllow))
  const starters = starterChecks(database, (now) => ({ registry: chains.of(now), repositories }))
  const configured = configuredPoints
    .filter(({ point }) => point !== CHAINS && point !== SCRIPTS)
    .map((point) =>
      configuredPoint({
        point,
        snapshots,
        checkUsage,
        ...(starters[point.point] && { findMore: starters[point.point] }),
        ...(REDEPLOYED[point.point] && { isRedeployed: REDEPLOYED[point.point] }),
        ...(warnings[point.point] && { findWarnings: warnings[point.point] }),
        ...(point === searchIndexPoint && indexing.size > 0 && { findWarnings: () => [REBUILT] }),
      }),
    )
  // A handler is given no content but its own point's.
  const handlers = [
    ...configured,
    keepingStarters(createChainHandler(chains, { namesOf }) as PointHandler, {
      chains,
      snapshots,
      repositories,
    }),
    createScriptHandler(chains) as PointHandler,
  ]
  // The model of the start; what chains change leaves it as it is.
  let followed = snapshots.of(feed.latest()).get(modelRegistry)
  return createContributionDeployments({
    store,
    feed,
    handlers,
    onChanged: async (now, before) => {
      if (now.of(directoriesPoint.point) !== before.of(directoriesPoint.point))
        await data.load({ before: snapshots.of(before), after: snapshots.of(now) })
      const model = snapshots.of(now).get(modelRegistry)
      if (model === followed) return
      await followModel(model)
      followed = model
    },
  })
}

/** Refuses additions to the search index that its engine would not take. @throws invalid, or unavailable while it is away. */
const checkIndex = async (
  { before, after }: Parameters<UsageCheck>[0],
  indexing: Platform['indexing'],
): Promise<void> => {
  const rulesOf = ({ contributions, get }: Snapshot) => ({ contributions, model: get(modelRegistry) })
  const shapeOf = (snapshot: Snapshot) => {
    const { contributions, model } = rulesOf(snapshot)
    return JSON.stringify(indexShapeOf(contributions, model))
  }
  const [sides] = indexing.values()
  const isOn = isPropertyTrue(after.contributions, ELASTICSEARCH_ENABLED)
  if (sides && isOn && shapeOf(before) !== shapeOf(after)) await sides.engine.tryOut(rulesOf(after))
}

/** Refuses rules under which nobody would be an administrator. @throws conflict. */
const checkAdministrators = async (
  { sql }: Pick<Database, 'sql'>,
  { before, after }: Parameters<UsageCheck>[0],
): Promise<void> => {
  const rulesOf = ({ contributions, get }: Snapshot) =>
    mainDataRules({ contributions, model: get(modelRegistry) }).rules
  const rules = rulesOf(after)
  if (JSON.stringify(rules) === JSON.stringify(rulesOf(before))) return
  await keepAdministrator({ identities: { ...backends.identities(sql), rules } })
}
