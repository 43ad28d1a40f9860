import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { startTestServers, type TestServers } from './servers.js'

type Shared = { servers: Promise<TestServers>; users: number }

const SHARED = Symbol.for('archivolt.test-servers')
/** Each project loads this module for itself: what they share belongs to the process. */
const ofProcess = globalThis as { [SHARED]?: Shared }

/**
 * Starts the servers of the run, unless another project of it has, and passes their addresses to the tests. The last
 * project ends them.
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  ofProcess[SHARED] ??= { servers: startTestServers(), users: 0 }
  const shared = ofProcess[SHARED]
  shared.users++
  const { addresses, stop } = await shared.servers
  for (const [name, address] of Object.entries(addresses))
    project.provide(name as keyof ProvidedContext, address)
  return async () => {
    shared.users--
    if (shared.users > 0) return
    delete ofProcess[SHARED]
    await stop()
  }
}
