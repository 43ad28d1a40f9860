import { z } from 'zod'
import { defineExtensionPoint } from '../../../platform/contributions/index.js'
import { templateResource } from '../exported/index.js'
import { findingsOfRoute } from './check.js'
import { route } from './route-schema.js'

/** The name of a route that runs is that of its model, a dot, and when it was started. */
const NAME = /^[^./\s][^./]*$/

/** Models of document routes, by their names, which clients call ids (workflow-audit.md §2). */
export const routesPoint = defineExtensionPoint({
  point: 'routes',
  elements: { 'template-resource': templateResource },
  name: z.string().max(100).regex(NAME, 'expected a name without dots and slashes'),
  schema: route,
  check: findingsOfRoute,
})
