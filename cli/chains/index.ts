export {
  type Deployment,
  type DeployOptions,
  deploy,
  showDeployed,
  showProblems,
  showWarnings,
} from './deploy.js'
export { listChains } from './list-chains.js'
export { showSchema } from './show-schema.js'
