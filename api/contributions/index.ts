export { type ContributionDependencies, createContributionRoutes } from './routes.js'
