export { findMeans, type Means } from './find.js'
export { addressOf, type Login, newLogin } from './login.js'
export { startElasticsearch } from './server.js'
