export {
  deployedEntity,
  type VersionEntity,
  versionsEntity,
} from './contribution-entities.js'
export {
  type ConversionEntity,
  type ConverterEntity,
  conversionsEntity,
  convertersEntity,
} from './conversion-entities.js'
export {
  bulkStatusEntity,
  type ChainEntity,
  chainsEntity,
  type DeployedEntity,
  type DocumentEntity,
  type DryRunEntity,
  deployedEntities,
  documentEntity,
  documentsEntity,
  dryRunEntity,
  type FailedItem,
  type Incident,
  itemsEntity,
  type LoopReport,
  loginEntity,
  type PlanEntity,
  type PlannedEntity,
  type PlanPart,
  plannedEntities,
  type RunEntity,
  runEntity,
  runsEntity,
  type ScheduleEntity,
  scheduleRunEntity,
  schedulesEntity,
  valueEntity,
} from './entities.js'
export { indexDriftEntity, indexFailuresEntity, indexingEntity } from './index-entities.js'
export { type Call, createServer, type Login, type Server } from './server.js'
export {
  type WorkflowRunEntity,
  type WorkflowTrialEntity,
  workflowBacklogEntity,
  workflowMigrationEntity,
  workflowRunEntity,
  workflowRunsEntity,
  workflowTrialEntity,
} from './workflow-entities.js'
