import { defineRegistry } from '../../platform/contributions/index.js'
import { isMatch } from '../../platform/patterns/index.js'
import { type CorsContent, corsPoint, wordsOf } from './cors-point.js'

/** What one contribution allows. */
export type CorsRule = Pick<CorsContent, 'supportsCredentials' | 'maxAge' | 'allowGenericHttpRequests'> & {
  name: string
  allows(origin: string): boolean
  methods: readonly string[]
  /** In lower case; undefined: any. */
  headers: readonly string[] | undefined
  exposedHeaders: readonly string[]
}

export type CorsRules = {
  isEmpty: boolean
  /** Whether some paths take nothing but calls of allowed origins. */
  isStrict: boolean
  /**
   * The first rule about a path.
   *
   * @param path with the context path, as it was sent.
   * @throws badRequest when matching takes too long.
   */
  of(path: string): CorsRule | undefined
}

/** As a browser writes it: in lower case, without a default port. */
const canonical = (origin: string): string =>
  /^https?:/i.test(origin) && URL.canParse(origin) ? new URL(origin).origin : origin.toLowerCase()

const SCHEME = /^[^:]+:\/\//

const isBelow = (origin: string, allowed: string): boolean => {
  const scheme = SCHEME.exec(allowed)?.[0] ?? ''
  return origin.startsWith(scheme) && origin.endsWith(`.${allowed.slice(scheme.length)}`)
}

const originTest = ({ allowOrigin, allowSubdomains }: CorsContent): CorsRule['allows'] => {
  const origins = wordsOf(allowOrigin ?? []).map(canonical)
  if (origins.includes('*')) return () => true
  return (origin) =>
    origins.includes(origin) || (allowSubdomains && origins.some((allowed) => isBelow(origin, allowed)))
}

const ruleOf = (name: string, content: CorsContent): CorsRule => {
  const headers = wordsOf(content.supportedHeaders).map((header) => header.toLowerCase())
  return {
    name,
    allows: originTest(content),
    methods: wordsOf(content.supportedMethods).map((method) => method.toUpperCase()),
    headers: headers.includes('*') ? undefined : headers,
    exposedHeaders: wordsOf(content.exposedHeaders),
    supportsCredentials: content.supportsCredentials,
    maxAge: content.maxAge,
    allowGenericHttpRequests: content.allowGenericHttpRequests,
  }
}

/** The rules of a deployment for calls of other origins, in the order of their contributions. */
export const corsRegistry = defineRegistry<CorsRules>({
  name: 'CORS',
  build: (contributions) => {
    const rules = [...contributions.get(corsPoint)].map(([name, content]) => ({
      pattern: content.pattern ?? '',
      rule: ruleOf(name, content),
    }))
    return {
      isEmpty: rules.length === 0,
      isStrict: rules.some(({ rule }) => !rule.allowGenericHttpRequests),
      of: (path) => rules.find(({ pattern }) => isMatch(pattern, path))?.rule,
    }
  },
})
