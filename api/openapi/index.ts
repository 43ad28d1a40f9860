export type { FurtherPaths } from './document.js'
export type { ErrorStatus } from './error-statuses.js'
export { errorResponses } from './errors.js'
export type { JsonSchema } from './json-schemas.js'
export { pageOf, pagingFields } from './page.js'
export {
  binary,
  type Content,
  component,
  downloadable,
  file,
  JSON_TYPE,
  json,
  type ResponseDoc,
  type RouteDoc,
  text,
} from './route-doc.js'
export { type RouteEntry, type RouteGroup, routeGroup } from './route-group.js'
export { createOpenapiRoutes } from './routes.js'
