export { createHttpClient, type HttpAnswer, type HttpClient, type HttpRequest } from './client.js'
export { createHttpRules, type HttpRules } from './rules.js'
