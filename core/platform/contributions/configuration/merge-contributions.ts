import type { z } from 'zod'
import { fail } from '../../errors/index.js'
import type { ExtensionPoint, Finding } from '../extension-point.js'
import { MAX_FINDINGS } from '../limits.js'
import { detailOf } from '../yaml/check-yaml.js'
import { suggestion } from '../yaml/did-you-mean.js'
import { mergeContent } from './merge-content.js'
import {
  type Contribution,
  type ContributionFile,
  type ContributionProblem,
  readContributions,
} from './read-contributions.js'

/** The content of a deployment: by extension point, the merged contents by name. */
export type Contributions = {
  /** Contents in order of first contribution; empty when nothing was contributed to the point. */
  get<S extends z.ZodType>(point: ExtensionPoint<S>): ReadonlyMap<string, z.output<S>>
  /** The position of a value that is invalid because of other contributions. */
  locate(contribution: { point: string; name: string }, finding: Finding): ContributionProblem
}

type Merged = { raw: unknown; enabled: boolean; sources: Contribution[] }

/**
 * Checks and merges configuration files, later ones over earlier ones by extension point and name.
 *
 * A contribution may say, beside its content: `remove: true` (removes earlier content), `replace: true`
 * (starts again instead of merging), `enabled: false` (leaves it out until a later file enables it).
 * Throws one `invalid` error that lists every problem of every file.
 */
export const mergeContributions = (
  files: readonly ContributionFile[],
  extensionPoints: readonly ExtensionPoint[],
): Contributions => {
  const problems: ContributionProblem[] = []
  const contributions = files.flatMap((file) => readOnce(file, extensionPoints, problems))
  refuseConfiguration(problems)

  const contents = new Map<string, Map<string, unknown>>()
  const merged = new Map<string, Map<string, Merged>>()
  for (const point of extensionPoints) {
    const ofPoint = contributions.filter((contribution) => contribution.point === point)
    const byName = fold(point, ofPoint, problems)
    merged.set(point.point, byName)
    contents.set(point.point, parseMerged(point, byName, problems))
  }
  refuseConfiguration(problems)

  for (const point of extensionPoints) {
    const all = contents.get(point.point)!
    for (const [name, content] of all) {
      const { sources } = merged.get(point.point)!.get(name)!
      const findings = [
        ...danglingReferences(point, content, contents),
        ...(point.check?.(content, { name, all }) ?? []),
      ]
      for (const finding of findings.slice(0, MAX_FINDINGS)) problems.push(locateIn(sources, finding))
    }
  }
  refuseConfiguration(problems)

  return {
    // The map of a point holds nothing but outputs of that point's schema.
    get: <S extends z.ZodType>(point: ExtensionPoint<S>) =>
      (contents.get(point.point) ?? new Map()) as ReadonlyMap<string, z.output<S>>,
    locate: ({ point, name }, finding) => locateIn(merged.get(point)?.get(name)?.sources ?? [], finding),
  }
}

type Read = { extensionPoints: readonly ExtensionPoint[]; contributions: Contribution[] }

// Files are immutable values, and each deployment merges them again: parsing is most of the work.
const read = new WeakMap<ContributionFile, Read>()

const readOnce = (
  file: ContributionFile,
  extensionPoints: readonly ExtensionPoint[],
  problems: ContributionProblem[],
): Contribution[] => {
  const known = read.get(file)
  if (known?.extensionPoints === extensionPoints) return known.contributions
  const before = problems.length
  const contributions = readContributions(file, extensionPoints, problems)
  if (problems.length === before) read.set(file, { extensionPoints, contributions })
  return contributions
}

const fold = (
  point: ExtensionPoint,
  contributions: readonly Contribution[],
  problems: ContributionProblem[],
): Map<string, Merged> => {
  const byName = new Map<string, Merged>()
  const merge = point.merge ?? mergeContent
  for (const contribution of contributions) {
    const { name, raw, controls } = contribution
    const earlier = byName.get(name)
    if (controls.remove) {
      if (!byName.delete(name)) {
        const message = `nothing named "${name}" to remove${suggestion(name, byName.keys())}`
        problems.push(locateIn([contribution], { path: [], message }))
      }
      continue
    }
    const enabled = controls.enabled ?? earlier?.enabled ?? true
    if (!earlier || controls.replace) byName.set(name, { raw, enabled, sources: [contribution] })
    else {
      byName.set(name, { raw: merge(earlier.raw, raw), enabled, sources: [...earlier.sources, contribution] })
    }
  }
  return byName
}

const parseMerged = (
  point: ExtensionPoint,
  byName: ReadonlyMap<string, Merged>,
  problems: ContributionProblem[],
): Map<string, unknown> => {
  const contents = new Map<string, unknown>()
  for (const [name, { raw, enabled, sources }] of byName) {
    if (!enabled) continue
    const result = point.schema.safeParse(raw)
    if (result.success) contents.set(name, result.data)
    else
      for (const { path, message } of result.error.issues.slice(0, MAX_FINDINGS))
        problems.push(locateIn(sources, { path, message }))
  }
  return contents
}

const danglingReferences = (
  point: ExtensionPoint,
  content: unknown,
  contents: ReadonlyMap<string, ReadonlyMap<string, unknown>>,
): Finding[] => {
  const dangling = (point.references?.(content) ?? []).filter(
    ({ point: target, name }) => contents.get(target)?.has(name) === false,
  )
  return dangling.slice(0, MAX_FINDINGS).map(({ path, point: target, name }) => {
    const known = contents.get(target)?.keys() ?? []
    const message = `"${name}" is not among the ${target}${suggestion(name, known)}`
    return { path, value: name, message }
  })
}

/** The file with the invalid value: the latest that has it, else the latest of all. */
const locateIn = (sources: readonly Contribution[], finding: Finding): ContributionProblem => {
  const latestFirst = sources.toReversed()
  for (const contribution of latestFirst) {
    const place = finding.value === undefined ? undefined : placeOf(contribution, finding.path, finding.value)
    if (place) return problemOf(contribution, { ...finding, path: place })
  }
  return problemOf(latestFirst[0]!, finding)
}

/** Lists that were joined have shifted their positions, so the value is looked for beside its place too. */
const placeOf = (contribution: Contribution, path: readonly PropertyKey[], value: string) => {
  const full = [...contribution.path, ...path]
  if (contribution.source.holds(full, value)) return path
  if (typeof path.at(-1) !== 'number') return undefined
  const list = path.slice(0, -1)
  for (let index = 0; index <= Number(path.at(-1)); index++) {
    if (contribution.source.holds([...contribution.path, ...list, index], value)) return [...list, index]
  }
  return undefined
}

const problemOf = (contribution: Contribution, { path, ...finding }: Finding): ContributionProblem => ({
  file: contribution.file,
  ...detailOf({ ...finding, path: [...contribution.path, ...path] }, contribution.source),
})

/** @throws invalid listing the problems, when there are any. */
export const refuseConfiguration = (problems: readonly ContributionProblem[]): void => {
  if (problems.length === 0) return
  const lines = problems.map(({ file, line, column, field, message }) => {
    const place = [file, line, column].filter((part) => part !== undefined).join(':')
    return `${place} ${field ? `${field}: ` : ''}${message}`
  })
  throw fail('invalid', ['The configuration has problems:', ...lines].join('\n  '), { details: problems })
}
