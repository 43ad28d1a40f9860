export { findMeans, type Means } from './find.js'
export { startElasticsearch } from './server.js'
