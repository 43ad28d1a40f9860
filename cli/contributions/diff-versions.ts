import { createTwoFilesPatch } from 'diff'
import type { Deployment } from '../chains/index.js'
import { CliError, EXIT, type ExitCode } from '../failures/index.js'
import type { Server, VersionEntity } from '../server/index.js'
import { printable } from '../terminal/index.js'
import { type Named, readNamed } from './named.js'
import { textOf, versionNumbered, versionsOf } from './versions.js'

type Sides = { from: string | undefined; to: string | undefined }

/** Without numbers the last two, with one that one and the last. */
const choose = (named: Named, versions: readonly VersionEntity[], { from, to }: Sides): VersionEntity[] => {
  const kept = versions.filter(({ deleted }) => !deleted)
  const numbered = (text: string | undefined, otherwise: VersionEntity | undefined) =>
    text === undefined ? otherwise : versionNumbered(versions, { named, text })
  const right = numbered(to, kept.at(-1))
  const left = numbered(from, kept.filter(({ version }) => version < (right?.version ?? 0)).at(-1))
  if (!left || !right) throw new CliError(EXIT.notFound, `${named.shown} has one version: there is no other`)
  return [left, right]
}

const sideOf = async (server: Server, named: Named, version: VersionEntity) => {
  const text = await textOf(server, { named, version })
  return {
    title: `${named.shown} version ${version.version}`,
    text: text.endsWith('\n') ? text : `${text}\n`,
  }
}

/** Shows what differs between two versions of a contribution, as `diff -u` does. */
export const diffVersions = async (
  { server, terminal }: Deployment,
  { name, ...sides }: Sides & { name: string },
): Promise<ExitCode> => {
  const named = readNamed(name)
  const chosen = choose(named, await versionsOf(server, named), sides)
  const [left, right] = await Promise.all(chosen.map((version) => sideOf(server, named, version)))
  if (!left || !right || left.text === right.text) {
    terminal.error(`${left?.title ?? named.shown} and ${right?.title ?? ''} have the same text`)
    return EXIT.ok
  }
  const [, ...lines] = createTwoFilesPatch(left.title, right.title, left.text, right.text)
    .trimEnd()
    .split('\n')
  for (const line of lines) terminal.out(printable(line))
  return EXIT.ok
}
