import { sharing } from '../../currency/index.js'
import { type ContributionStore, type ContributionVersion, NO_MARK } from './contribution-store.js'

/** What is deployed, as of a mark. Immutable: a change creates another one. */
export type Deployed = {
  mark: string
  /** By name, what is in force at a point; the same map as before as long as nothing changed there. */
  of(point: string): ReadonlyMap<string, ContributionVersion>
  points: readonly string[]
}

/** Deployed contributions of all extension points, kept current with what any process deploys. */
export type ContributionFeed = {
  /**
   * With everything whose deployment was answered before this call, by any process. Costs one indexed
   * query that finds nothing; calls that wait at the same time share one.
   */
  current(): Promise<Deployed>
  /** Without a query: as of the last one, or of the last notification, which takes some milliseconds. */
  latest(): Deployed
  close(): Promise<void>
}

const NOTHING: ReadonlyMap<string, ContributionVersion> = new Map()

export const deployedOf = (
  mark: string,
  byPoint: ReadonlyMap<string, ReadonlyMap<string, ContributionVersion>>,
): Deployed => ({
  mark,
  of: (point) => byPoint.get(point) ?? NOTHING,
  points: [...byPoint.keys()],
})

/** The state after a version was added. */
export const withVersion = (deployed: Deployed, version: ContributionVersion): Deployed => {
  const { point, name, isDeleted, mark } = version
  const names = new Map(deployed.of(point))
  if (isDeleted) names.delete(name)
  else names.set(name, version)
  const byPoint = new Map(deployed.points.map((other) => [other, deployed.of(other)]))
  return deployedOf(mark, byPoint.set(point, names))
}

/** Nothing at all: for a product without a store of contributions. */
export const NOTHING_DEPLOYED = deployedOf(NO_MARK, new Map())

/**
 * Reads everything that is deployed and starts to listen.
 *
 * @param onError called when a read after a notification fails; the next one makes up for it.
 */
export const createContributionFeed = async ({
  store,
  onError,
}: {
  store: ContributionStore
  onError(error: unknown): void
}): Promise<ContributionFeed> => {
  let state = NOTHING_DEPLOYED

  const look = async (): Promise<Deployed> => {
    const changes = await store.changedSince(state.mark)
    state = changes.reduce(withVersion, state)
    return state
  }

  const current = sharing(look)
  await current()
  const stop = await store.listen(() => void current().catch(onError))
  return { current, latest: () => state, close: stop }
}
