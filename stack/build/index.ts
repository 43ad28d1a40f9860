export {
  buildProgram,
  buildServer,
  buildWorkflows,
  DIST,
  isWorkflowBundleUpToDate,
  ROOT,
  type ServerName,
} from './targets.js'
