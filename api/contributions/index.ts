export { type ContributionDependencies, contributionDocs, createContributionRoutes } from './routes.js'
