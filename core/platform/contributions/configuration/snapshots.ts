import { isArchivoltError } from '../../errors/index.js'
import type { ContributionVersion } from '../deployment/contribution-store.js'
import { type Deployed, withVersion } from '../deployment/feed.js'
import type { ExtensionPoint } from '../extension-point.js'
import { parseYamlSource } from '../yaml/yaml-source.js'
import { mergeContributions } from './merge-contributions.js'
import type { ContributionFile } from './read-contributions.js'
import { buildSnapshot, type RegistryDefinition, type Snapshot } from './snapshot.js'

/** Snapshots of the configuration with what is deployed over it. */
export type Snapshots = {
  /**
   * The snapshot in force. A deployed contribution that no longer fits the configuration
   * is left out and reported to `onRefused`: it never keeps the others from working. It is replaced
   * by its point's substitutes, if any.
   */
  of(deployed: Deployed): Snapshot
  /**
   * The snapshot with one more version. @throws invalid with every problem, placed in the text
   * of the version or naming the contribution (`file`) that it breaks.
   */
  with(deployed: Deployed, version: ContributionVersion): Snapshot
  /** What the configuration's files say without anything deployed. */
  configured: Snapshot
}

type Dependencies = {
  files: readonly ContributionFile[]
  points: readonly ExtensionPoint[]
  /** Names of points that have a registry of their own for what is deployed to them. */
  apart: readonly string[]
  definitions: readonly RegistryDefinition<unknown>[]
  onRefused(contribution: string, error: unknown): void
}

/** @throws invalid listing what is wrong with the files. */
export const createSnapshots = ({
  files,
  points,
  apart,
  definitions,
  onRefused,
}: Dependencies): Snapshots => {
  const merged = points.filter(({ point }) => !apart.includes(point))
  const build = (deployed: readonly ContributionFile[]): Snapshot =>
    buildSnapshot(mergeContributions([...files, ...deployed], points), definitions)
  const configured = build([])

  const buildWhatFits = (deployed: Deployed): { snapshot: Snapshot; left: readonly ContributionFile[] } => {
    const standIns = new Map<string, ContributionFile[]>()
    const instead = (culprit: ContributionFile, error: unknown): ContributionFile[] => {
      const { file } = culprit
      if (!standIns.has(file)) {
        onRefused(file, error)
        standIns.set(file, standInsFor(merged, culprit))
      }
      return standIns.get(file)?.splice(0, 1) ?? []
    }
    let left = filesOf(merged, deployed)
    for (;;) {
      try {
        return { snapshot: left.length === 0 ? configured : build(left), left }
      } catch (error) {
        if (!isArchivoltError(error) || left.length === 0) throw error
        const culprits = culpritsAmong(left, error)
        left = left.flatMap((file) => (culprits.includes(file) ? instead(file, error) : [file]))
      }
    }
  }

  let known: { deployed: Deployed; snapshot: Snapshot; left: readonly ContributionFile[] } | undefined
  // Texts that are deployed together are checked in several combinations, beside the snapshot in force.
  const looked = new WeakMap<Deployed, NonNullable<typeof known>>()
  const fitting = (deployed: Deployed) => {
    // Asked for every session.
    if (known?.deployed === deployed) return known
    known = looked.get(deployed) ?? fittingNow(deployed)
    looked.set(deployed, known)
    return known
  }
  const fittingNow = (deployed: Deployed) => {
    const isSame = known && merged.every(({ point }) => known?.deployed.of(point) === deployed.of(point))
    return known && isSame ? { ...known, deployed } : { deployed, ...buildWhatFits(deployed) }
  }

  return {
    configured,
    of: (deployed) => fitting(deployed).snapshot,
    with: (deployed, version) => {
      const { left } = fitting(deployed)
      const name = fileNameOf(version)
      return build(
        filesOf(merged, withVersion(deployed, version)).flatMap((file) =>
          file.file === name ? [file] : left.filter((fits) => fits.file === file.file),
        ),
      )
    },
  }
}

/** How problems name a deployed contribution. */
export const fileNameOf = ({ point, name }: Pick<ContributionVersion, 'point' | 'name'>): string =>
  `${point}/${name}`

/** In the order of their names: all processes build the same, in whatever order they learned of them. */
const filesOf = (points: readonly ExtensionPoint[], deployed: Deployed): ContributionFile[] =>
  points.flatMap(({ point }) =>
    [...deployed.of(point).values()]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((version) => ({
        file: fileNameOf(version),
        // JSON is YAML, too; XML is stored as what it says.
        text: version.format === 'xml' ? JSON.stringify(version.content) : version.source,
        contributes: { point, name: version.name },
      })),
  )

/** The substitutes of a contribution that does not fit, to be tried in turn: JSON is YAML. */
const standInsFor = (
  points: readonly ExtensionPoint[],
  { file, text, contributes }: ContributionFile,
): ContributionFile[] => {
  const point = points.find(({ point }) => point === contributes?.point)
  const contents = point?.standIns?.(parseYamlSource(text).value) ?? []
  return contents.map((content) => ({
    file,
    text: JSON.stringify(content),
    ...(contributes && { contributes }),
  }))
}

/** Those that the error names; all of them, when it names none. */
const culpritsAmong = (
  files: readonly ContributionFile[],
  { details }: { details: readonly object[] },
): readonly ContributionFile[] => {
  const named = new Set(details.map((detail) => ('file' in detail ? detail.file : undefined)))
  const culprits = files.filter(({ file }) => named.has(file))
  return culprits.length > 0 ? culprits : files
}
