import { defineConfig } from 'vitest/config'

const SERVERS = './test/support/global-setup.ts'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          testTimeout: 30_000,
          include: [
            '{api,activities,cli,core,schema,stack,storage,worker,workflows,bench}/**/*.test.ts',
            'test/unit/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'integration',
          sequence: { groupOrder: 1 },
          include: ['test/integration/**/*.test.ts'],
          globalSetup: [SERVERS],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'slow',
          sequence: { groupOrder: 2 },
          include: ['test/slow/**/*.test.ts'],
          globalSetup: [SERVERS],
          testTimeout: 600_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
