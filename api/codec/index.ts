export { codecDocs, createCodecRoutes } from './routes.js'
