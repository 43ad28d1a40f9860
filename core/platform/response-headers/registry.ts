import { defineRegistry } from '../contributions/index.js'
import { responseHeadersPoint } from './headers-point.js'

export type ResponseHeader = {
  header: string
  value: string
  /** Of the whole path; undefined: every path. */
  pattern: string | undefined
}

/** The headers that responses get unless a route sets its own; of two for a path, the later one counts. */
export const responseHeadersRegistry = defineRegistry<readonly ResponseHeader[]>({
  name: 'response headers',
  build: (contributions) =>
    // The extension point checks that there is a value.
    [...contributions.get(responseHeadersPoint)].map(([name, { header = name, value = '', pattern }]) => ({
      header,
      value,
      pattern,
    })),
})
