import type { ContributionFormat, Precondition } from '../../core/platform/contributions/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { RequestContext } from '../edge/index.js'

/** `"3"` is version 3 as YAML; each other representation has its own tag, `"3.json"`. */
export const etagOf = (version: number, format: ContributionFormat = 'yaml'): string =>
  `"${version}${format === 'yaml' ? '' : `.${format}`}"`

/** No version has this number: an unknown tag matches nothing. */
const NO_VERSION = -1

const versionOfTag = (tag: string): number => {
  const found = /^"(\d{1,9})(?:\.(?:json|xml))?"$/.exec(tag)
  return found ? Number(found[1]) : NO_VERSION
}

const readTags = (
  name: string,
  header: string | undefined,
  isWeakAllowed: boolean,
): Precondition['ifMatch'] => {
  if (header === undefined) return undefined
  if (header.trim() === '*') return '*'
  return header.split(',').map((part) => {
    const tag = part.trim()
    if (!/^(?:W\/)?"[^"]*"$/.test(tag))
      throw fail('badRequest', `${name}: expected * or tags in quotes such as "3", found ${tag}`)
    // A weak tag never matches in If-Match, which compares strongly (RFC 9110 §13.1.1).
    if (tag.startsWith('W/')) return isWeakAllowed ? versionOfTag(tag.slice(2)) : NO_VERSION
    return versionOfTag(tag)
  })
}

/** The conditions of a request that changes something. @throws badRequest for a malformed header. */
export const preconditionOf = (c: RequestContext): Precondition => {
  const ifMatch = readTags('If-Match', c.req.header('If-Match'), false)
  const ifNoneMatch = readTags('If-None-Match', c.req.header('If-None-Match'), true)
  return { ...(ifMatch && { ifMatch }), ...(ifNoneMatch && { ifNoneMatch }) }
}

/** Whether a reader already has this representation (RFC 9110 §13.1.2). */
export const isUnchanged = (c: RequestContext, etag: string): boolean => {
  const header = c.req.header('If-None-Match')
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
