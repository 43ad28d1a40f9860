import type { Route } from '../instances/index.js'
import { initialVariables, type RouteModel } from '../model/index.js'

/** A route as clients see it (workflow-audit.md §1, workflow). */
export const workflowEntity = (route: Route, api: string) => ({
  'entity-type': 'workflow' as const,
  id: route.id,
  name: route.name,
  title: route.model.title,
  state: route.status,
  workflowModelName: route.modelId,
  initiator: route.initiator,
  attachedDocumentIds: route.documentIds.map((id) => ({ id })),
  variables: route.state.variables,
  graphResource: `${api}/workflow/${route.id}/graph`,
})

export type WorkflowEntity = ReturnType<typeof workflowEntity>

/** A model as clients see it. */
export const modelEntity = (name: string, model: RouteModel, api: string) => ({
  'entity-type': 'workflow' as const,
  id: name,
  name,
  title: model.title,
  state: 'validated',
  workflowModelName: name,
  initiator: '',
  attachedDocumentIds: [] as { id: string }[],
  variables: initialVariables(model.variables),
  graphResource: `${api}/workflowModel/${encodeURIComponent(name)}/graph`,
})
