import type { JsonValue } from '../../platform/events/index.js'

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

/** An execution of an escalation rule. `error`: what it has failed with. */
export type RouteEscalation = { node: string; rule: string; error: string | null; executedAt: Date }

export type RouteStore = {
  insert(route: StoredRoute): Promise<void>
  /** `hold`: against every other change, until the end of the transaction. */
  get(id: string, options?: { hold: boolean }): Promise<StoredRoute | undefined>
  /** In no order; ids that are not there are left out. */
  getMany(ids: readonly string[]): Promise<StoredRoute[]>
  /** Those that run, the oldest first: the first thousand. */
  running(): Promise<StoredRoute[]>
  /** How many have not ended, of one initiator or of all, counted as far as `most`. */
  countOpen(asked: { initiator?: string; most: number }): Promise<number>
  /** Writes where a route stands. Whoever follows routes learns of it after the commit. */
  save(route: Pick<StoredRoute, 'id' | 'status' | 'state' | 'documentIds' | 'endedAt'>): Promise<void>
  /** Gives a route another model. */
  setModel(id: string, model: JsonValue): Promise<void>
  /** Routes that have changed since somebody followed them, and how often they have changed. */
  unfollowed(): Promise<(Pick<StoredRoute, 'id' | 'modelId' | 'initiator'> & { revision: number })[]>
  /** Takes note that somebody has seen a route as it was at a revision, or as it is now. */
  follow(id: string, revision?: number): Promise<void>
  recordEscalation(routeId: string, escalation: RouteEscalation): Promise<void>
  /** Newest first. */
  escalations(routeId: string): Promise<RouteEscalation[]>
}
