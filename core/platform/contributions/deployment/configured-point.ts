import { stringify } from 'yaml'
import { type ErrorDetail, fail, isArchivoltError } from '../../errors/index.js'
import { findingsOfContent, refusalsOfName } from '../configuration/read-contributions.js'
import type { Snapshot } from '../configuration/snapshot.js'
import { fileNameOf, type Snapshots } from '../configuration/snapshots.js'
import type { ExtensionPoint, Finding } from '../extension-point.js'
import { MAX_TEXT_LENGTH } from '../limits.js'
import { readElements } from '../xml/read-elements.js'
import { certainFindings, detailOf } from '../yaml/check-yaml.js'
import { jsonSchemaOf } from '../yaml/json-schema.js'
import { parseYamlSource } from '../yaml/yaml-source.js'
import type { ContributionFormat, ContributionVersion } from './contribution-store.js'
import { labelOf } from './deployments.js'
import type { Deployed } from './feed.js'
import { furtherFindings } from './further-findings.js'
import { pendingVersion } from './pending-version.js'
import type { ContributionText, PointHandler } from './point-handler.js'

/**
 * The effect that a change of the snapshot would have on stored documents.
 *
 * @param change `deployed`: what the change is made to.
 * @throws conflict with the count of what is in use.
 */
export type UsageCheck = (change: { before: Snapshot; after: Snapshot; deployed: Deployed }) => Promise<void>

/** Warnings about the merged content of a deployed contribution: what its author probably did not mean. */
export type WarningsCheck = (change: {
  name: string
  after: Snapshot
  deployed: Deployed
}) => readonly Finding[]

/**
 * What is wrong with a content by itself that `UsageCheck` would refuse.
 *
 * @param content what the point's schema takes of it: a key at which something is wrong is left out.
 */
export type FurtherCheck = (content: never, deployed: Deployed) => Promise<readonly Finding[]>

/** Longest name; the addresses of contributions hold it. */
const MAX_NAME_LENGTH = 200

/** The schema of a point stands beside its contributions. */
const RESERVED = 'schema.json'

/**
 * Deploys to a point whose contributions are merged over the configuration's files and checked with all others:
 * every point but those with a registry of their own.
 */
export const configuredPoint = ({
  point,
  snapshots,
  checkUsage,
  findMore,
  findWarnings,
  isRedeployed,
}: {
  point: ExtensionPoint
  snapshots: Snapshots
  checkUsage: UsageCheck
  /** Present: whoever is refused learns of all mistakes at once. */
  findMore?: FurtherCheck
  findWarnings?: WarningsCheck
  /** See `PointHandler`. */
  isRedeployed?: PointHandler['isRedeployed']
}): PointHandler => {
  const noun = `${point.point} contribution`

  const refusalOfName = (name: string): string | undefined => {
    if (name === RESERVED) return 'is reserved'
    if (name === '' || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name))
      return `must be 1 to ${MAX_NAME_LENGTH} characters, none of them a control character`
    const [refusal] = refusalsOfName(point, name)
    return refusal === undefined ? undefined : `must be: ${refusal}`
  }

  const check = async (deployed: Deployed, version: ContributionVersion): Promise<Snapshot> => {
    const after = snapshots.with(deployed, version)
    await checkUsage({ before: snapshots.of(deployed), after, deployed })
    return after
  }

  const further = async (
    { name, text, format }: ContributionText,
    { content, deployed, details }: { content: unknown; deployed: Deployed; details: readonly ErrorDetail[] },
  ): Promise<ErrorDetail[]> => {
    if (!findMore || format === 'xml') return []
    const all = snapshots.of(deployed).contributions.get(point)
    const found = await furtherFindings(
      { point, name, content: withoutControls(content), all },
      { details, findMore: (readable) => findMore(readable, deployed) },
    )
    const source = parseYamlSource(text)
    return found.map((finding) => detailOf(finding, source))
  }

  return {
    point: point.point,
    entityType: 'contribution',
    ...(isRedeployed && { isRedeployed }),
    noun,
    formats: point.xml || point.elements ? ['yaml', 'json', 'xml'] : ['yaml', 'json'],
    ...(point.elements && { elements: point.elements, onlyRead: ['xml'] }),
    refusalOfName,
    defaults: () => snapshots.configured.contributions.get(point),
    examine: async (text, deployed) => {
      if (point.isSeed)
        throw fail(
          'conflict',
          `${point.point}: cannot be deployed, as they are created once from files; use their own calls`,
        )
      const refusal = refusalOfName(text.name)
      if (refusal)
        throw refused({ point: point.point, name: text.name }, [
          { field: 'name', message: `"${text.name}" ${refusal}` },
        ])
      const content = readContent(point, text)
      const version = pendingVersion({ point: point.point, ...text, content })
      const after = await explained(
        { version, further: (details) => further(text, { content, deployed, details }) },
        () => check(deployed, version),
      )
      const merged = after.contributions.get(point).get(text.name)
      const plan = { point: point.point, name: text.name, content: merged ?? null }
      const found = merged === undefined ? [] : (findWarnings?.({ name: text.name, after, deployed }) ?? [])
      const warnings = found.map((finding) =>
        inText(version, after.contributions.locate({ point: point.point, name: text.name }, finding)),
      )
      return { content, mayReplace: true, plan, warnings }
    },
    checkRemovable: async (version, deployed) => {
      const removal = pendingVersion({ ...version, text: version.source, isDeleted: true })
      try {
        await check(deployed, removal)
      } catch (error) {
        if (!isArchivoltError(error) || error.code !== 'invalid') throw error
        const details = error.details
        const needed = details.map((detail) => placeOf(detail)).join('; ')
        throw fail('conflict', `${labelOf({ noun }, version.name)} is still needed: ${needed}`, {
          cause: error,
          details,
        })
      }
    },
    write: ({ name, content }, format) => {
      if (format === 'json') return JSON.stringify(content)
      if (format === 'xml' && point.xml)
        return point.xml.write(name, point.schema.parse(withoutControls(content)))
      return stringify(content, { aliasDuplicateObjects: false })
    },
    entity: () => ({ point: point.point }),
    jsonSchema: () => ({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...jsonSchemaOf(point),
    }),
  }
}

/** The plain content of a text in its notation; it is checked with all other rules later. */
const readContent = (extension: ExtensionPoint, { name, text, format }: ContributionText): unknown => {
  const { point, xml, elements } = extension
  if (text.length > MAX_TEXT_LENGTH)
    throw fail('tooLarge', `The contribution's text is longer than ${MAX_TEXT_LENGTH} characters`)
  if (format === 'xml' && (xml || elements)) {
    const { content, problems } = xml
      ? xml.read(name, text)
      : readElements({ name, text }, { elements: elements ?? {}, schema: jsonSchemaOf(extension) })
    if (content && problems.length === 0) return content
    throw refused({ point, name }, problems)
  }
  requireNotation(format)
  const { value, problems, recovered } = parseYamlSource(text)
  if (problems.length > 0)
    throw refused({ point, name }, [
      ...problems,
      ...(recovered
        ? certainFindings(recovered, findingsOfContent(extension, name, recovered.source.value))
        : []),
    ])
  if (format === 'json' && !isJson(text))
    throw refused({ point, name }, [{ message: 'the text is not JSON', line: 1, column: 1 }])
  // What JSON cannot hold is no content; undefined stands for an empty text.
  return JSON.parse(JSON.stringify(value ?? null))
}

/** The content without the keys for merging. */
const withoutControls = (content: unknown): unknown => {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return content
  const { remove: _, replace: __, ...said } = content as { [key: string]: unknown }
  return said
}

const requireNotation = (format: ContributionFormat): void => {
  if (format === 'xml') throw fail('unsupportedMediaType', 'Send it as application/yaml or application/json')
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The problems in the text itself, not in another one, as its author reads them. */
const inText = (
  version: ContributionVersion,
  detail: ErrorDetail & { file?: string },
): ErrorDetail & { file?: string } => {
  if (detail.file !== fileNameOf(version)) return detail
  const { file: _, ...rest } = detail
  if (version.format !== 'xml') return rest
  // They count in what the text was read as.
  const { line: __, column: ___, ...unplaced } = rest
  return unplaced
}

/** Problems in the text itself lose its name; those that it causes elsewhere keep theirs. */
const explained = async <Result>(
  {
    version,
    further,
  }: {
    version: ContributionVersion
    further: (details: readonly ErrorDetail[]) => Promise<readonly ErrorDetail[]>
  },
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    if (!isArchivoltError(error) || error.code !== 'invalid') throw error
    const reported = error.details.map((detail) => inText(version, detail))
    const details = [...reported, ...(await further(reported))]
    throw refused(version, details.length > 0 ? details : [{ message: error.message }])
  }
}

const refused = (
  { point, name }: Pick<ContributionVersion, 'point' | 'name'>,
  details: readonly ErrorDetail[],
) => {
  const more = details.length > 1 ? `, and ${details.length - 1} more` : ''
  return fail('invalid', `${point}/${name} is refused: ${placeOf(details[0]!)}${more}`, { details })
}

const placeOf = (detail: ErrorDetail & { file?: string }): string => {
  const { line, column, field, message } = detail
  const file = 'file' in detail ? `${detail.file}: ` : ''
  const place = line === undefined ? '' : ` (line ${line}, column ${column})`
  return `${file}${field ? `${field}: ` : ''}${message}${place}`
}
