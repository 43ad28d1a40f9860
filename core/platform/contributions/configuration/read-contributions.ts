import type { z } from 'zod'
import type { ErrorDetail } from '../../errors/index.js'
import type { ExtensionPoint, Finding } from '../extension-point.js'
import { detailOf } from '../yaml/check-yaml.js'
import { suggestion } from '../yaml/did-you-mean.js'
import { controls, jsonSchemaOf } from '../yaml/json-schema.js'
import { parseYamlSource, type YamlSource } from '../yaml/yaml-source.js'
import { findingsOf } from '../yaml/zod-findings.js'

/**
 * A configuration text and the name that errors give it.
 *
 * @property contributes the text is the content of this one contribution, not a map of extension points.
 */
export type ContributionFile = {
  file: string
  text: string
  contributes?: { point: string; name: string }
}

/** An `ErrorDetail` that also names the file. */
export type ContributionProblem = ErrorDetail & { file: string }

/** One name of one extension point in one file. */
export type Contribution = {
  point: ExtensionPoint
  name: string
  raw: unknown
  controls: z.output<typeof controls>
  file: string
  source: YamlSource
  /** Where the contribution stands in its file. */
  path: readonly PropertyKey[]
}

/** Reads one file and checks each contribution by itself; what is invalid is added to `problems`. */
export const readContributions = (
  { file, text, contributes }: ContributionFile,
  extensionPoints: readonly ExtensionPoint[],
  problems: ContributionProblem[],
): Contribution[] => {
  const parsed = parseYamlSource(text)
  problems.push(...parsed.problems.map((problem) => ({ file, ...problem })))
  const { recovered } = parsed
  if (parsed.problems.length > 0 && !recovered) return []
  const source = recovered?.source ?? parsed
  const report = (finding: Finding) => {
    if (!recovered?.isDoubtful(finding.path)) problems.push({ file, ...detailOf(finding, source) })
  }
  const read = (point: ExtensionPoint, name: string, content: unknown, path: readonly PropertyKey[]) => {
    const checked = checkContribution(point, name, content)
    for (const finding of checked.findings) report({ ...finding, path: [...path, ...finding.path] })
    if (checked.findings.length > 0 || recovered) return []
    return [{ point, name, file, source, path, raw: checked.raw, controls: checked.controls }]
  }
  if (contributes) {
    const point = extensionPoints.find(({ point }) => point === contributes.point)
    return point ? read(point, contributes.name, source.value ?? null, []) : []
  }
  if (source.value === undefined || source.value === null) return []
  if (!isMap(source.value)) {
    report({ path: [], message: 'expected a map of extension points' })
    return []
  }
  return Object.entries(source.value).flatMap(([key, names]) => {
    const point = extensionPoints.find(({ point }) => point === key)
    if (!point) {
      const known = extensionPoints.map(({ point }) => point)
      report({ path: [key], message: `unknown extension point "${key}"${suggestion(key, known)}` })
      return []
    }
    if (names === null) return []
    if (!isMap(names)) {
      report({ path: [key], message: 'expected a map of contributions by name' })
      return []
    }
    return Object.entries(names).flatMap(([name, content]) => read(point, name, content, [key, name]))
  })
}

/** What is wrong with the content of one contribution by itself. */
export const findingsOfContent = (
  point: ExtensionPoint,
  name: string,
  content: unknown,
): readonly Finding[] => checkContribution(point, name, content ?? null).findings

/** A name alone (`Folderish:`) contributes empty content. */
const checkContribution = (point: ExtensionPoint, name: string, content: unknown) => {
  const findings: Finding[] = refusalsOfName(point, name).map((message) => ({
    path: [],
    onKey: true,
    message: `not a valid name: ${message}`,
  }))
  const map = isMap(content) ? content : {}
  const said = controls.safeParse(map)
  if (!said.success) findings.push(...findingsOf(said.error, jsonSchemaOf(point)))
  const raw =
    content === null || isMap(content)
      ? Object.fromEntries(Object.entries(map).filter(([key]) => !Object.hasOwn(controls.shape, key)))
      : content
  if (said.data?.remove) return { findings, raw, controls: said.data }
  const result = point.schema.safeParse(raw, { reportInput: true })
  if (!result.success) findings.push(...findingsOf(result.error, jsonSchemaOf(point)))
  return { findings, raw, controls: said.data ?? {} }
}

/** Why a point refuses a name; empty when it does not. */
export const refusalsOfName = ({ name: rule }: ExtensionPoint, name: string): string[] =>
  rule?.safeParse(name).error?.issues.map(({ message }) => message) ?? []

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
