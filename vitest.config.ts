import { defineConfig } from 'vitest/config'

const SERVERS = './test/support/global-setup.ts'

/** Tests wait for what they expect. On a machine that others keep busy that may take long, and is no failure. */
const PATIENT = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
}

export default defineConfig({
  test: {
    teardownTimeout: 120_000,
    projects: [
      {
        test: {
          ...PATIENT,
          name: 'unit',
          include: [
            '{api,activities,cli,core,runtime,schema,stack,storage,worker,workflows,bench}/**/*.test.ts',
            'test/unit/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          ...PATIENT,
          name: 'integration',
          sequence: { groupOrder: 1 },
          include: ['test/integration/**/*.test.ts'],
          globalSetup: [SERVERS],
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...PATIENT,
          name: 'slow',
          sequence: { groupOrder: 2 },
          include: ['test/slow/**/*.test.ts'],
          globalSetup: [SERVERS],
          testTimeout: 1_200_000,
          hookTimeout: 1_200_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
