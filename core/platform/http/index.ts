export { createHttpClient, type HttpAnswer, type HttpClient, type HttpRequest } from './client.js'
export { createHttpRules } from './rules.js'
