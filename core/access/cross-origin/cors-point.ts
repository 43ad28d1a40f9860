import { z } from 'zod'
import { defineExtensionPoint, type Finding } from '../../platform/contributions/index.js'
import { isPattern } from '../../platform/patterns/index.js'

const words = z.union([z.string(), z.array(z.string().min(1))])

const content = z.strictObject({
  pattern: z
    .string()
    .refine(isPattern, 'not a regular expression')
    .optional()
    .describe('Regular expression for the whole path of a request, context path included'),
  allowOrigin: words.optional().describe('Origins such as https://docs.example.org; * for all'),
  allowSubdomains: z
    .boolean()
    .default(false)
    .describe('Whether hosts below those of the origins may call too'),
  supportedMethods: words.default(['GET', 'POST', 'HEAD', 'OPTIONS']),
  supportedHeaders: words.default('*').describe('Request headers that a script may set; * for any'),
  exposedHeaders: words.default([]).describe('Response headers that a script may read'),
  supportsCredentials: z
    .boolean()
    .default(true)
    .describe('Whether the browser may send what it logs in with'),
  maxAge: z.number().int().min(-1).default(-1).describe('Seconds to remember a preflight; -1 for no memory'),
  allowGenericHttpRequests: z
    .boolean()
    .default(true)
    .describe('false: requests that are not from an allowed origin are refused'),
})

export type CorsContent = z.output<typeof content>

/** What separates the words of a text: the reference writes lists with spaces, or with commas. */
const SEPARATOR = /[\s,]+/

/** The words of a list or of a text. */
export const wordsOf = (value: CorsContent['supportedMethods']): string[] =>
  (typeof value === 'string' ? value.split(SEPARATOR) : value).filter((word) => word !== '')

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/i

const originFindings = ({ allowOrigin, supportsCredentials }: CorsContent): Finding[] => {
  const finding = (message: string): Finding => ({ path: ['allowOrigin'], message })
  const origins = allowOrigin === undefined ? [] : wordsOf(allowOrigin)
  if (origins.length === 0) return [finding('must name the origins that are allowed, or * for all')]
  if (origins.includes('*') && supportsCredentials)
    return [
      finding(
        '* lets any site act as whoever is logged in: name the origins, or set supportsCredentials: false',
      ),
    ]
  return origins
    .filter((origin) => origin !== '*' && !ORIGIN.test(origin))
    .map((origin) => finding(`"${origin}" is not an origin, e.g. https://docs.example.org`))
}

/** Which other sites may call this server from a browser (security.md §10); nobody may without a contribution. */
export const corsPoint = defineExtensionPoint({
  point: 'corsConfig',
  elements: { corsConfig: {} },
  schema: content,
  check: (merged) => [
    ...(merged.pattern
      ? []
      : [{ path: ['pattern'], message: 'must say which paths it is about, e.g. /nuxeo/.*' }]),
    ...originFindings(merged),
  ],
})
