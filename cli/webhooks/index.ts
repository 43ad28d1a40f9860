export { addWebhookCommands } from './commands.js'
