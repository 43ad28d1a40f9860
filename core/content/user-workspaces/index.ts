export { findUserWorkspace, getUserWorkspace } from './user-workspace.js'
export { userWorkspacesPoint } from './user-workspaces-point.js'
