/** `npm start`: brings up Postgres, Temporal, the API and the worker, and keeps them up until it is stopped. */
import { bringUp } from './bring-up.js'
import { ADMINISTRATOR, choosePassword, type Home, markShown, openHome, takeLock } from './home/index.js'
import { LEFTOVERS, STOP_ORDER } from './leftovers.js'
import { describeFailure } from './process/index.js'
import { createProgress, type Progress } from './progress/index.js'
import { showWarnings } from './services/index.js'
import { readSettings, type StackSettings } from './settings.js'
import { renderSummary } from './summary.js'
import { createSupervisor, type Supervisor } from './supervisor/index.js'

const ORPHAN_CHECK_MS = 500

/** npm, its shell and the terminal may each pass on the same Ctrl-C. */
const SAME_SIGNAL_MS = 1_000

/** Calls back when npm, which started this process, is gone: nobody could stop the stack by its terminal. */
const whenAbandoned = (onAbandoned: () => void): void => {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onAbandoned()
  }, ORPHAN_CHECK_MS)
  timer.unref()
}

type Stack = {
  settings: StackSettings
  home: Home
  progress: Progress
  supervisor: Supervisor
  signal: AbortSignal
}

/** A wrong password means that the database has had its administrator since before this folder existed. */
const isAccepted = async (apiUrl: string, password: string): Promise<boolean> => {
  const authorization = `Basic ${Buffer.from(`${ADMINISTRATOR}:${password}`).toString('base64')}`
  const response = await fetch(`${apiUrl}/api/v1/path/`, { headers: { authorization } })
  await response.arrayBuffer()
  return response.status !== 401
}

const runStack = async ({ settings, home, progress, supervisor, signal }: Stack): Promise<void> => {
  await supervisor.endLeftovers(LEFTOVERS)
  let isTemporalUp = false
  let isSearchUp = false
  const stopWarnings = showWarnings({
    home,
    services: STOP_ORDER,
    say: progress.say,
    // Its own line shows that it is still being built or started.
    isExpected: (text) =>
      (!isTemporalUp && text.includes('Temporal')) || (!isSearchUp && text.includes('search engine')),
  })
  signal.addEventListener('abort', stopWarnings)
  const password = choosePassword(home.administratorFile, settings.administratorPassword)
  const addresses = await bringUp({
    settings,
    home,
    password,
    progress,
    supervisor,
    signal,
    onTemporal: () => {
      isTemporalUp = true
    },
    onSearch: () => {
      isSearchUp = true
    },
  })
  progress.freeze()
  const accepted = password.origin === 'earlier' || (await isAccepted(addresses.apiUrl, password.password))
  const elapsedMs = process.uptime() * 1000
  const { isPasswordInFile } = settings
  process.stdout.write(
    renderSummary({ ...addresses, password, isPasswordInFile, isAccepted: accepted, elapsedMs }),
  )
  if (password.origin !== 'earlier') markShown(home.administratorFile)
}

const main = async (): Promise<void> => {
  const settings = readSettings(process.env, process.cwd())
  const home = openHome(settings.home)
  // Whatever the stack and its servers write is for this user alone.
  process.umask(0o077)
  const lock = await takeLock(home.lockFile, { home: home.folder, purpose: 'start' })
  const progress = createProgress(process.stdout)
  const supervisor = createSupervisor({
    progress,
    recordFile: home.recordFile,
    explain: (error) => describeFailure(error, home.folder),
  })
  const stopping = new AbortController()

  const stop = async (exitCode: number, lastWords = ''): Promise<never> => {
    stopping.abort()
    try {
      lock.markStopping()
    } catch (error) {
      // Not even a full disk may keep the servers from being stopped.
      process.stderr.write(`${describeFailure(error, home.folder)}\n`)
    }
    await supervisor.stop(STOP_ORDER)
    progress.freeze()
    lock.release()
    process.stderr.write(lastWords)
    process.exit(exitCode)
  }
  let signalledAt: number | undefined
  const onSignal = (): void => {
    if (signalledAt === undefined) {
      signalledAt = Date.now()
      progress.freeze()
      void stop(0)
    } else if (Date.now() - signalledAt > SAME_SIGNAL_MS) supervisor.kill()
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal)
  whenAbandoned(onSignal)
  // A terminal that was closed must not keep the servers from being stopped in order.
  for (const output of [process.stdout, process.stderr]) output.on('error', onSignal)

  try {
    await runStack({ settings, home, progress, supervisor, signal: stopping.signal })
  } catch (error) {
    if (stopping.signal.aborted) return
    progress.freeze()
    await stop(1, `\n${describeFailure(error, home.folder)}\n`)
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${describeFailure(error, process.env.ARCHIVOLT_HOME ?? '.archivolt')}\n`)
  process.exit(1)
})
