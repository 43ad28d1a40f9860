import { spawn } from 'node:child_process'
import { CliError, EXIT, type ExitCode } from '../failures/index.js'
import { getRun } from './get-run.js'
import type { Watch } from './watch-run.js'

/** The program that opens an address; absent where there is no desktop. */
const openerOf = ({ DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): string | undefined => {
  if (process.platform === 'darwin') return 'open'
  return DISPLAY || WAYLAND_DISPLAY ? 'xdg-open' : undefined
}

/** Prints the address of a run in the Temporal UI, and opens it in a browser where there is one. */
export const openRun = async (
  { server, terminal }: Watch,
  id: string,
  environment: NodeJS.ProcessEnv,
): Promise<ExitCode> => {
  const { workflowUrl } = await getRun(server, id)
  if (workflowUrl === undefined)
    throw new CliError(
      EXIT.notFound,
      `The run ${id} has no address: it is inline, or the server does not know its Temporal UI (ARCHIVOLT_TEMPORAL_UI)`,
    )
  terminal.out(workflowUrl)
  const opener = openerOf(environment)
  if (opener === undefined) return EXIT.ok
  const browser = spawn(opener, [workflowUrl], { env: environment, stdio: 'ignore', detached: true })
  browser.once('error', (error) => terminal.error(`${opener} cannot be started: ${error.message}`))
  browser.unref()
  return EXIT.ok
}
