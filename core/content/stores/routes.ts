import type { CoreEvent, JsonValue } from '../../platform/events/index.js'

/** A document route as it is kept; what its model and its state mean is the business of `core/automation/routing`. */
export type StoredRoute = {
  /** Of the document that stands for it. */
  id: string
  modelId: string
  initiator: string
  status: 'ready' | 'running' | 'done' | 'canceled'
  model: JsonValue
  state: JsonValue
  documentIds: readonly string[]
  /** The route, and its node, whose sub-workflow it is. */
  parentId: string | null
  parentNode: string | null
  startedAt: Date
  endedAt: Date | null
}

/** What is known of a route without reading its state, which may be as large as its variables. */
export type BriefRoute = Pick<StoredRoute, 'id' | 'modelId' | 'initiator' | 'parentId' | 'model'>

/** An execution of an escalation rule. `error`: what it has failed with. */
export type RouteEscalation = { node: string; rule: string; error: string | null; executedAt: Date }

/** What lists of routes that run are narrowed by. */
export type RunningRoutes = {
  modelId?: string | undefined
  /** Those alone whose newest change nobody has followed yet. */
  isUnfollowed?: boolean | undefined
  /** The last one of the page before. */
  after?: string | undefined
  limit: number
}

/** Open tasks that have something in common. `overdue`: of them, those whose due date is over; dates are ISO 8601. */
export type TaskCount = { open: number; overdue: number; earliestDue: string | null }

/** What waits in routes, the most first: the first thousand of each. A task of several actors counts for each. */
export type RouteBacklog = {
  byNode: ({ modelId: string; node: string } & TaskCount)[]
  byAssignee: ({ assignee: string } & TaskCount)[]
  /** Routes whose newest change nobody has followed yet. */
  unfollowed: number
}

export type RouteStore = {
  /** Nobody is notified of a route before its first `save`. */
  insert(route: StoredRoute): Promise<void>
  /** `hold`: against every other change, until the end of the transaction. */
  get(id: string, options?: { hold: boolean }): Promise<StoredRoute | undefined>
  /** In no order; ids that are not there are left out. */
  getMany(ids: readonly string[]): Promise<StoredRoute[]>
  /** As `getMany`. */
  briefly(ids: readonly string[]): Promise<BriefRoute[]>
  /** Those that run, the oldest first, behind the one of an id. */
  running(asked: RunningRoutes): Promise<StoredRoute[]>
  /** Open tasks of routes that run, by what they wait for. */
  backlog(asked: { now: Date }): Promise<RouteBacklog>
  /** How many have not ended, of one initiator or of all, counted as far as `most`. */
  countOpen(asked: { initiator?: string; most: number }): Promise<number>
  /**
   * Writes where a route stands, and events. Whoever follows routes learns of it after the commit.
   *
   * @param options `isFollowed`: whoever follows it has it from this transaction, and is not notified.
   */
  save(
    route: Pick<StoredRoute, 'id' | 'status' | 'state' | 'documentIds' | 'endedAt'>,
    options?: { isFollowed?: boolean; events?: readonly CoreEvent[] },
  ): Promise<void>
  /** Gives a route another model. */
  setModel(id: string, model: JsonValue): Promise<void>
  /** Routes that have changed since somebody followed them, and how often they have changed. */
  unfollowed(): Promise<(Pick<StoredRoute, 'id' | 'modelId' | 'initiator'> & { revision: number })[]>
  /** Takes note that somebody has seen a route as it was at a revision, or as it is now. */
  follow(id: string, revision?: number): Promise<void>
  /**
   * Routes of which no document is left that they are about, and that somebody has followed to their newest change: the
   * first behind an id. Those that have none from the start are not among them.
   */
  abandoned(asked: {
    after?: string | undefined
    limit: number
  }): Promise<Pick<StoredRoute, 'id' | 'status'>[]>
  recordEscalation(routeId: string, escalation: RouteEscalation): Promise<void>
  /** Newest first. */
  escalations(routeId: string): Promise<RouteEscalation[]>
}
