import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const SERVERS = './test/support/global-setup.ts'

/** Tests wait for what they expect. On a machine that others keep busy that may take long, and is no failure. */
const PATIENT = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
}

/**
 * With servers and processes beside it, a test on a shared machine meets pauses that no developer sees. Under CI a
 * test is tried a second time, and `.ci/count.mjs` names it: a race is looked into, but does not hold a change back.
 */
const TRIED_AGAIN = { ...PATIENT, retry: process.env.CI === 'true' ? 1 : 0 }

/** Files that install what a process has once, such as the provider of traces; all others share their imports. */
const PROCESS_WIDE = ['test/integration/platform/{telemetry,traced-statements}.test.ts']

/**
 * Node 24 goes on filling the stream of a form that a server has refused before its end. Clients of tests are such; the
 * servers of the product never send forms.
 */
const isRefusedForm = ({ code, stack }: { code?: unknown; stack?: string }): boolean =>
  code === 'ERR_INVALID_STATE' && /ReadableByteStreamController\.enqueue.*undici/s.test(stack ?? '')

export default defineConfig({
  test: {
    onUnhandledError: (error) => !isRefusedForm(error),
    teardownTimeout: 120_000,
    // Translated sources are kept between runs: the three of `.ci/run`, and one file after the other of a developer.
    experimental: { fsModuleCache: true },
    // What a test provokes on purpose is shown only when it fails.
    silent: 'passed-only',
    projects: [
      {
        test: {
          ...TRIED_AGAIN,
          name: 'unit',
          isolate: false,
          maxWorkers: Math.max(2, availableParallelism() - 1),
          // Tests stand beside their sources; those in other folders of `test/` need servers.
          include: ['**/*.test.ts'],
          exclude: ['**/node_modules/**', '{dist,.stryker-tmp}/**', 'test/!(unit)/**'],
        },
      },
      {
        test: {
          ...TRIED_AGAIN,
          name: 'integration',
          isolate: false,
          sequence: { groupOrder: 1 },
          include: ['test/integration/**/*.test.ts'],
          exclude: PROCESS_WIDE,
          globalSetup: [SERVERS],
          setupFiles: ['./test/support/quiet-temporal.ts'],
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...TRIED_AGAIN,
          name: 'isolated',
          sequence: { groupOrder: 2 },
          include: PROCESS_WIDE,
          globalSetup: [SERVERS],
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...TRIED_AGAIN,
          name: 'slow',
          isolate: false,
          sequence: { groupOrder: 3 },
          include: ['test/slow/**/*.test.ts'],
          globalSetup: [SERVERS],
          setupFiles: ['./test/support/quiet-temporal.ts'],
          // They wait for servers that they kill and start for much of their time.
          maxWorkers: 3,
        },
      },
    ],
  },
})
