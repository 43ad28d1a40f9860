export {
  buildServer,
  buildWorkflows,
  DIST,
  isWorkflowBundleUpToDate,
  ROOT,
  type ServerName,
} from './targets.js'
