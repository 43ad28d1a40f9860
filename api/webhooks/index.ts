export { createWebhookRoutes, webhookDocs } from './routes.js'
