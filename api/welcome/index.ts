export { createUiRoutes, uiDocs } from './ui.js'
export { createWelcomeRoutes, welcomeDocs } from './welcome.js'
