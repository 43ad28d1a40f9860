export type { FurtherPaths } from './document.js'
export type { JsonSchema } from './json-schemas.js'
export { pageOf, pagingFields } from './page.js'
export {
  binary,
  type Content,
  component,
  type DocumentedMethod,
  type ErrorStatus,
  inPath,
  JSON_TYPE,
  json,
  nothing,
  type ResponseDoc,
  type RouteDoc,
} from './route-doc.js'
export { createOpenapiRoutes } from './routes.js'
