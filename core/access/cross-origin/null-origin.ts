import { defineProperty } from '../../platform/configuration/index.js'

/** reference: security.md §10 */
export const ALLOW_NULL_ORIGIN = defineProperty({
  name: 'archivolt.cors.allowNullOrigin',
  aliases: ['nuxeo.cors.allowNullOrigin'],
  default: 'false',
  description: 'true: pages without an origin, such as a file or a sandboxed frame, may call',
})
