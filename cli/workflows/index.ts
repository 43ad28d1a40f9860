export { addWorkflowCommands } from './commands.js'
