import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** Commands of a page that are meant to be run, with the output that the page shows for them. */
export type Commands = { heading: string; script: string; expected: readonly string[] }

const ROOT = join(import.meta.dirname, '../..')

const HEADING_OR_BLOCK = /^#+ (?<heading>.*)$|^```(?<kind>.*)\n(?<content>[\s\S]*?)^```$/gm

/** The blocks of a page marked `sh demo`, in order. A block of text that follows one is what it prints. */
const commandsIn = (page: string): Commands[] => {
  const all: { heading: string; script: string; expected: string[] }[] = []
  let heading = ''
  let hasOutput = true
  for (const { groups = {} } of page.matchAll(HEADING_OR_BLOCK)) {
    const { kind, content = '' } = groups
    heading = groups.heading ?? heading
    if (kind === 'sh demo') all.push({ heading, script: content, expected: [] })
    else if (kind === 'text' && !hasOutput) all.at(-1)?.expected.push(...content.trimEnd().split('\n'))
    if (kind !== undefined) hasOutput = kind !== 'sh demo'
  }
  return all
}

/** The commands of pages, by their paths in the project, in the order in which a reader meets them. */
export const readCommands = async (pages: readonly string[]): Promise<Commands[]> => {
  const texts = await Promise.all(pages.map((page) => readFile(join(ROOT, page), 'utf8')))
  return texts.flatMap(commandsIn)
}

/** Ends each part of the output; no program prints it. */
const MARK = '=== done ==='

/**
 * Runs the commands in one shell, as a reader does, and resolves with the output of each, standard error included.
 *
 * @throws with all that was printed when a command fails.
 */
export const runCommands = async (
  commands: readonly Commands[],
  environment: NodeJS.ProcessEnv,
): Promise<string[]> => {
  const scripts = commands.map(({ script }) => `${script}\necho '${MARK}'\n`)
  const child = spawn('bash', ['-c', `set -euo pipefail\nexec 2>&1\n${scripts.join('')}`], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [output, exitCode] = await Promise.all([text(child.stdout), exited])
  if (exitCode !== 0) throw new Error(`The commands ended with exit code ${exitCode}:\n${output}`)
  return output.split(`${MARK}\n`).slice(0, commands.length)
}

/** Does a printed line hold the parts of a shown one in their order? `…` stands for what is new each time. */
const isShown = (shown: string, printed: string): boolean => {
  let from = 0
  return shown.split('…').every((part) => {
    const at = printed.indexOf(part.trim(), from)
    from = at + part.trim().length
    return at >= 0
  })
}

/** The lines shown that were not printed in their order; others may stand between them. */
export const missingLines = (expected: readonly string[], output: string): string[] => {
  const printed = output.split('\n')
  let from = 0
  return expected.filter((line) => {
    const at = printed.findIndex((candidate, index) => index >= from && isShown(line, candidate))
    if (at >= 0) from = at + 1
    return at < 0
  })
}
