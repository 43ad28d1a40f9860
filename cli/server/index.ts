export {
  type ChainEntity,
  chainEntity,
  chainsEntity,
  type DocumentEntity,
  documentEntity,
  documentsEntity,
  type LoopReport,
  loginEntity,
  type PlanEntity,
  type PlanPart,
  planEntity,
  type RunEntity,
  runEntity,
  valueEntity,
} from './entities.js'
export { type Call, createServer, type Login, type Server } from './server.js'
