import { configDefaults, defineConfig } from 'vitest/config'

/**
 * The unit tests beside what is mutated: a mutant is to be caught by the tests of its own room. Random queries take
 * seconds, and would be asked for nearly every mutant.
 */
export default defineConfig({
  test: {
    include: [
      'core/access/**/*.test.ts',
      'core/automation/{execution,language,loops,planning,run-store}/**/*.test.ts',
      'core/content/documents/**/*.test.ts',
      'core/model/nxql/**/*.test.ts',
      'storage/postgres/{documents,nxql}/**/*.test.ts',
    ],
    exclude: [...configDefaults.exclude, '**/fuzz.test.ts'],
    isolate: false,
    testTimeout: 600_000,
  },
})
