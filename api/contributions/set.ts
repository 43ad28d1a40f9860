import { z } from 'zod'
import { CHAINS, partsOfComponent, SCRIPTS } from '../../core/automation/chains/index.js'
import {
  type ContributionFormat,
  type DeployCall,
  type ElementClaim,
  MAX_PARTS,
  ownText,
  type PointHandler,
  partsOfYaml,
  repeatedIn,
  requireFewParts,
} from '../../core/platform/contributions/index.js'
import { fail, isArchivoltError } from '../../core/platform/errors/index.js'

type Call = Pick<DeployCall, 'point' | 'name' | 'text' | 'kept' | 'format' | 'source'>

/** The extension points that a file may contribute to. */
type Points = readonly Pick<PointHandler, 'point' | 'elements'>[]

const claimsOf = (points: Points): readonly ElementClaim[] =>
  points.flatMap(({ point, elements }) => (elements ? [{ point, elements }] : []))

const entry = z.strictObject({
  point: z.string().optional().describe('When absent, as the text declares it, else chains'),
  name: z.string().optional().describe('When absent, the text must contain the name'),
  format: z.enum(['yaml', 'json', 'xml']).default('yaml'),
  text: z.string(),
})

/** Texts deployed together: contributions by point and name, and files with several contributions. */
export const contributionSet = z.strictObject({ contributions: z.array(entry).min(1).max(MAX_PARTS) })

/** The contributions of a file that names points and names itself. @throws invalid with details. */
const partsOfFile = (text: string, format: ContributionFormat, points: Points): readonly Call[] => {
  const parts =
    format === 'xml'
      ? partsOfComponent(text, claimsOf(points))
      : partsOfYaml(
          text,
          points.map(({ point }) => point),
        )
  const partFormat = format === 'xml' ? 'xml' : 'yaml'
  return parts.map((part) => ({ ...part, format: partFormat, kept: ownText(part.text, partFormat) }))
}

const readSet = (text: string): z.infer<typeof contributionSet> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw fail('badRequest', 'The request body is not JSON', { cause })
  }
  const checked = contributionSet.safeParse(json)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  throw fail('badRequest', `${issue?.path.join('.')}: ${issue?.message}`)
}

const KEYS = /^(?:"([\w-]+)"|([\w-]+))\s*:/gm

/** The keys of a text's outermost map that begin a line. */
const outerKeys = (text: string, format: ContributionFormat): readonly string[] => {
  if (format !== 'json') return [...text.matchAll(KEYS)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? Object.keys(value) : []
  } catch {
    // Its parser reports what is wrong with it.
    return []
  }
}

const OPENING = /<(?:!--|([A-Za-z][\w.-]*))/g

/** The name of the first element outside comments, in linear time for any text. */
const rootElement = (text: string): string | undefined => {
  const opening = new RegExp(OPENING)
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    if (match[1] !== undefined) return match[1]
    const end = text.indexOf('-->', opening.lastIndex)
    if (end < 0) return undefined
    opening.lastIndex = end + 3
  }
  return undefined
}

/** Detects what a text without a point is: a chain, a scripted operation, or a file of several contributions. */
const kindOf = (text: string, format: ContributionFormat, points: Points): string | undefined => {
  if (format === 'xml') {
    const root = rootElement(text)
    if (root === 'component') return undefined
    return root === 'scriptedOperation' ? SCRIPTS : CHAINS
  }
  const keys = outerKeys(text, format)
  if (keys.some((key) => points.some(({ point }) => point === key))) return undefined
  return keys.includes('script') ? SCRIPTS : CHAINS
}

const callsOf = (
  { point: given, name, format, text }: z.infer<typeof entry>,
  { source, points }: { source: number; points: Points },
): readonly Call[] => {
  const point = given ?? (name === undefined ? undefined : kindOf(text, format, points))
  if (point !== undefined && name !== undefined) return [{ point, name, format, text, source }]
  if (point !== undefined) throw fail('badRequest', `contributions.${source}.name: is missing`)
  try {
    return partsOfFile(text, format, points).map((call) => ({ ...call, source }))
  } catch (error) {
    if (!isArchivoltError(error) || error.code !== 'invalid') throw error
    const details = error.details.map((detail) => ({ ...detail, source }))
    throw fail('invalid', error.message, { details, cause: error })
  }
}

/**
 * The contributions of a request: the XML of a component, a YAML file of contributions by extension point, or
 * several texts in JSON.
 *
 * @throws invalid for a file that cannot be read, tooLarge for too many, badRequest for a body that is no set or names a contribution twice.
 */
export const callsOfBody = (text: string, format: ContributionFormat, points: Points): readonly Call[] => {
  if (format !== 'json') return partsOfFile(text, format, points)
  const calls: Call[] = []
  for (const [source, one] of readSet(text).contributions.entries()) {
    for (const call of callsOf(one, { source, points })) calls.push(call)
    requireFewParts(calls.length)
  }
  const [twice] = repeatedIn(calls.map(({ point, name }) => `${point}/${name}`))
  if (twice !== undefined) throw fail('badRequest', `contributions: ${twice} occurs twice`)
  return calls
}
