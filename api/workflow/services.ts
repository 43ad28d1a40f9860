import type { Principal } from '../../core/access/security/index.js'
import { registryWith } from '../../core/automation/chains/index.js'
import { runDeployed, type SegmentDependencies } from '../../core/automation/execution/index.js'
import type { ChainDefinition, OperationContext } from '../../core/automation/language/index.js'
import type { RouteCommand, RouteRuns } from '../../core/automation/routing/following/index.js'
import { loadRoute, type Route } from '../../core/automation/routing/instances/index.js'
import { type RouteTrial, type TrialResult, tryRoute } from '../../core/automation/routing/trial/index.js'
import type { Session } from '../../core/content/documents/index.js'
import type { ContributionDeployments } from '../../core/platform/contributions/index.js'
import type { AutomationRuntime } from '../../runtime/index.js'
import type { RequestContext } from '../edge/index.js'
import { linksOf, type RestServices } from '../rest/index.js'

/** What routes and adapters of workflows share. */
export type WorkflowServices = {
  deployments: ContributionDeployments
  rest: RestServices
  routes: RouteRuns
  session(c: RequestContext): Session
  /** Address of the REST API, without a slash at its end. */
  api(c: RequestContext): string
  /** Does work in one transaction, with what operations have. */
  transact<Result extends object>(
    c: RequestContext,
    work: (context: OperationContext) => Promise<Result>,
  ): Promise<Result>
  /**
   * Tries a model, of which nothing is kept: see `tryRoute`.
   *
   * @param chains in force for it alone, in place of deployed ones of the same ids.
   */
  tryOut(c: RequestContext, trial: RouteTrial, chains: readonly ChainDefinition[]): Promise<TrialResult>
  /** Gives a command to a route. */
  act(
    c: RequestContext,
    route: Pick<Route, 'id' | 'modelId' | 'initiator'>,
    command: RouteCommand,
  ): Promise<void>
  /** A route as it is now, whoever may see it. */
  load(c: RequestContext, id: string): Promise<Route>
}

/** What moves workflows in one repository. */
type WorkflowEngine = {
  routes: RouteRuns
  runtime: Pick<AutomationRuntime, 'chains' | 'deployments' | 'segments'>
}

/** @param engine of the repository that the services are for. */
export const workflowServices = (rest: RestServices, engine: WorkflowEngine): WorkflowServices => {
  const { platform } = rest
  const { publicUrl } = platform.settings.http
  const principalOf = (c: RequestContext): Principal => c.get('principal')
  const session = (c: RequestContext): Session => platform.readSession(principalOf(c))
  const segments = (chains: readonly ChainDefinition[] = []): SegmentDependencies =>
    engine.runtime.segments(chains.reduce(registryWith, engine.runtime.chains.latest()))
  return {
    rest,
    routes: engine.routes,
    deployments: engine.runtime.deployments,
    session,
    api: (c) => linksOf(c, { publicUrl, repository: platform.repository }).api,
    transact: (c, work) =>
      runDeployed(segments(), { principal: principalOf(c), signal: c.req.raw.signal }, work),
    tryOut: (c, trial, chains) =>
      tryRoute(segments(chains), trial, {
        initiator: principalOf(c),
        find: platform.authenticator.principal,
        periodMs: platform.settings.escalationPeriodMs,
        signal: c.req.raw.signal,
      }),
    act: async (c, { id, modelId, initiator }, command) => {
      await engine.routes.act({
        ...{ routeId: id, modelId, initiator, command },
        principal: principalOf(c),
        requestId: c.get('requestId'),
      })
    },
    load: (c, id) => loadRoute(session(c), id),
  }
}
