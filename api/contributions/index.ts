export { contributionDocs } from './contributions.docs.js'
export { type ContributionDependencies, createContributionRoutes } from './routes.js'
