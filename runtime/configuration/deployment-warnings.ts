import type { ChainRegistry } from '../../core/automation/chains/index.js'
import {
  eventHandlersPoint,
  listenersPoint,
  unknownEvents,
  unknownFilters,
} from '../../core/automation/events/index.js'
import { operationFiltersPoint, unknownFilter } from '../../core/automation/language/index.js'
import { knownNamesRegistry, unknownInProvider } from '../../core/automation/lint/index.js'
import { routesPoint, unknownInRoute } from '../../core/automation/routing/model/index.js'
import { schedulesPoint } from '../../core/automation/schedules/index.js'
import { unknownInWebhook, unreachable, webhooksPoint } from '../../core/automation/webhooks/index.js'
import type { Finding, WarningsCheck } from '../../core/platform/contributions/index.js'
import type { HttpRules } from '../../core/platform/http/index.js'
import { pageProvidersPoint } from '../../core/search/page-providers/index.js'

type Change = Parameters<WarningsCheck>[0]

/**
 * What a deployment is warned of, by extension point: names that nothing known has, and that may still be deployed, and
 * servers that no call may reach.
 */
export const deploymentWarnings = (
  chains: ChainRegistry,
  http: HttpRules,
): { readonly [point: string]: WarningsCheck } => {
  const ofEvents = (
    subscriber: { events: readonly string[] },
    { after, deployed }: Change,
  ): readonly Finding[] => {
    const schedules = after.contributions.get(schedulesPoint).values()
    return unknownEvents(subscriber, { registry: chains.of(deployed), schedules })
  }
  const namesIn = ({ after }: Change) => after.get(knownNamesRegistry)
  const subscribed = (
    handler: Parameters<typeof unknownFilters>[0] & { events: readonly string[] },
    change: Change,
  ): Finding[] => [...ofEvents(handler, change), ...unknownFilters(handler, namesIn(change))]
  return {
    [eventHandlersPoint.point]: (change) => {
      const handler = change.after.contributions.get(eventHandlersPoint).get(change.name)
      return handler ? subscribed(handler, change) : []
    },
    [listenersPoint.point]: (change) => {
      const listener = change.after.contributions.get(listenersPoint).get(change.name)
      return listener ? subscribed(listener, change) : []
    },
    [operationFiltersPoint.point]: ({ name, after, deployed }) =>
      after.contributions.get(operationFiltersPoint).has(name)
        ? unknownFilter(name, chains.of(deployed))
        : [],
    [webhooksPoint.point]: (change) => {
      const webhook = change.after.contributions.get(webhooksPoint).get(change.name)
      if (!webhook) return []
      return [
        ...unreachable(webhook, http),
        ...ofEvents(webhook, change),
        ...unknownInWebhook(webhook, namesIn(change)),
      ]
    },
    [pageProvidersPoint.point]: (change) => {
      const provider = change.after.contributions.get(pageProvidersPoint).get(change.name)
      return provider ? unknownInProvider(provider, namesIn(change)) : []
    },
    [routesPoint.point]: (change) => {
      const models = change.after.contributions.get(routesPoint)
      const model = models.get(change.name)
      return model ? unknownInRoute(model, { names: namesIn(change), models: [...models.keys()] }) : []
    },
  }
}
