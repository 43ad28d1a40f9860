import { accepts } from 'hono/accepts'
import type { ContributionFormat } from '../../core/platform/contributions/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { RequestContext } from '../edge/index.js'

const FORMATS: ReadonlyMap<string, ContributionFormat> = new Map([
  ['application/yaml', 'yaml'],
  ['application/x-yaml', 'yaml'],
  ['text/yaml', 'yaml'],
  ['text/x-yaml', 'yaml'],
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
  ['*/*', 'yaml'],
  ['application/*', 'yaml'],
  ['text/*', 'yaml'],
])

const NAMES = 'application/yaml, application/json or application/xml'

/** The notation of the body; YAML without a content type. @throws unsupportedMediaType. */
export const formatOfBody = (c: RequestContext): ContributionFormat => {
  const header = c.req.header('Content-Type')
  if (header === undefined || header.trim() === '') return 'yaml'
  const [type = '', ...parameters] = header.toLowerCase().split(';')
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='))
  if (charset && !/^charset="?utf-?8"?$/.test(charset))
    throw fail('unsupportedMediaType', `Content-Type: ${header} is not in UTF-8`)
  const format = type.includes('*') ? undefined : FORMATS.get(type.trim())
  if (!format) throw fail('unsupportedMediaType', `Content-Type: ${header} is not supported; send ${NAMES}`)
  return format
}

/** The representation that the caller prefers among the supported ones. @throws notAcceptable. */
export const negotiatedFormat = (
  c: RequestContext,
  formats: readonly ContributionFormat[],
): ContributionFormat => {
  const supports = [...FORMATS].filter(([, format]) => formats.includes(format)).map(([type]) => type)
  const type = accepts(c, {
    header: 'Accept',
    supports,
    default: c.req.header('Accept') === undefined ? '*/*' : '',
    match: (accepted, config) =>
      accepted
        .filter(({ q }) => q > 0)
        .sort((a, b) => b.q - a.q)
        .find(({ type }) => supports.includes(type.toLowerCase()))
        ?.type.toLowerCase() ?? config.default,
  })
  const format = FORMATS.get(type)
  if (!format)
    throw fail('notAcceptable', `Accept: ${c.req.header('Accept')} allows none of ${supports.join(', ')}`)
  return format
}
