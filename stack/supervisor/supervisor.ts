import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { readRecord, writeRecord } from '../home/index.js'
import { describeExit, isRunning, type Server, type StopStep, stopProcess } from '../process/index.js'
import { type Progress, type State, seconds } from '../progress/index.js'
import { backoffMs, STABLE_MS } from './backoff.js'

type StartContext = {
  report: (state: State, detail?: string) => void
  /** To be called as soon as there is a process, long before it is ready. */
  onLaunch: (server: Server) => void
  /** Aborted when the stack stops. */
  signal: AbortSignal
}

export type Service = {
  name: string
  /** Brings it up; resolves when it is ready, with what to say about it (its address). */
  start(context: StartContext): Promise<string>
}

export type Supervisor = {
  /** Resolves when the service is ready for the first time, then keeps it alive; rejects when it never was. */
  run(service: Service): Promise<void>
  /** Stops the services in this order, each before the next. */
  stop(order: readonly string[]): Promise<void>
  /** Hurries a running stop: no more waiting. */
  kill(): void
  /** Ends processes that a killed start left running, in this order, each by its own steps. */
  endLeftovers(order: readonly Leftover[]): Promise<void>
}

export type Leftover = { name: string; steps: readonly StopStep[] }

export type SupervisorOptions = {
  progress: Progress
  recordFile: (service: string) => string
  /** Why something failed, in words for the user. */
  explain: (error: unknown) => string
}

export const createSupervisor = ({ progress, recordFile, explain }: SupervisorOptions): Supervisor => {
  const servers = new Map<string, Server>()
  const stopping = new AbortController()

  const startOnce = async (service: Service): Promise<void> => {
    const detail = await service.start({
      report: (state, detail) => progress.set(service.name, state, detail),
      onLaunch: (server) => {
        servers.set(service.name, server)
        writeRecord(recordFile(service.name), server)
      },
      signal: stopping.signal,
    })
    progress.set(service.name, 'ready', detail)
  }

  /** One restart after the backoff for the number of early deaths; returns why it failed, if it did. */
  const restart = async (service: Service, reason: string, attempt: number): Promise<string | undefined> => {
    const wait = backoffMs(attempt)
    progress.begin(service.name)
    progress.set(service.name, 'restarting', `${reason}; again in ${seconds(wait)}`)
    await sleep(wait)
    if (stopping.signal.aborted) return undefined
    try {
      await startOnce(service)
      return undefined
    } catch (error) {
      await servers.get(service.name)?.stop()
      return explain(error)
    }
  }

  const keepAlive = async (service: Service, first: Server): Promise<void> => {
    let failure: string | undefined
    for (let attempt = 0; ; attempt += 1) {
      const since = Date.now()
      const exit = await (servers.get(service.name) ?? first).exited
      if (stopping.signal.aborted) return
      if (Date.now() - since > STABLE_MS) attempt = 0
      failure = await restart(service, failure ?? `ended with ${describeExit(exit)}`, attempt)
    }
  }

  return {
    run: async (service) => {
      progress.begin(service.name)
      await startOnce(service)
      const server = servers.get(service.name)
      if (server) void keepAlive(service, server)
    },
    stop: async (order) => {
      stopping.abort()
      for (const name of order) {
        const server = servers.get(name)
        if (!server) continue
        if (!server.exit()) progress.set(name, 'stopping')
        await server.stop()
        rmSync(recordFile(name), { force: true })
        progress.set(name, 'stopped')
      }
    },
    kill: () => {
      for (const server of servers.values()) if (!server.exit()) server.kill()
    },
    endLeftovers: async (order) => {
      for (const { name, steps } of order) {
        const record = readRecord(recordFile(name))
        if (record && isRunning(record)) {
          progress.say(`Stopping ${name} (process ${record.pid}) that an earlier start left running.`)
          await stopProcess(record, steps)
        }
        rmSync(recordFile(name), { force: true })
      }
    },
  }
}
