import { z } from 'zod'
import { defineExtensionPoint, type Finding } from '../contributions/index.js'

/** What decides where a message ends, or is the business of a route, is no header for contributions. */
const RESERVED =
  /^(?:connection|content-.*|date|keep-alive|set-cookie|te|trailer|transfer-encoding|upgrade|www-authenticate)$/i

/** RFC 9110 §5.1 and §5.5: a token, and visible characters with blanks between them. */
const NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

const findings = (header: string): Finding[] => {
  if (!NAME.test(header)) return [{ path: ['header'], message: `'${header}' is no name of a header` }]
  return RESERVED.test(header) ? [{ path: ['header'], message: `${header} is set by the server itself` }] : []
}

const isPattern = (pattern: string): boolean => {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

/** Headers of responses, by a name of the contribution, which is that of the header unless it says another. */
export const responseHeadersPoint = defineExtensionPoint({
  point: 'responseHeaders',
  elements: { header: { text: 'value' } },
  schema: z.strictObject({
    header: z.string().optional().describe('Name of the header; the name of the contribution when absent'),
    value: z
      .string()
      .max(4_000)
      .regex(VALUE, 'must be visible characters, with blanks between them')
      .optional(),
    pattern: z
      .string()
      .max(500)
      .refine(isPattern, 'is no regular expression')
      .optional()
      .describe('Regular expression for the whole path, e.g. /api/v1/.*; all paths when absent'),
  }),
  check: ({ header, value }, { name }) => [
    ...(value === undefined ? [{ path: ['value'], message: 'is missing' }] : []),
    ...findings(header ?? name),
  ],
})
