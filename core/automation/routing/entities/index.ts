export { diagramOf } from './diagram.js'
export { findOpenRoutes } from './find-routes.js'
export { type TaskEntity, taskEntity } from './task-entity.js'
export { modelEntity, type WorkflowEntity, workflowEntity } from './workflow-entity.js'
