/** What is mutated, and how: docs/mutation.md. */
export default {
  packageManager: 'npm',
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  mutate: [
    'core/access/security/*.ts',
    'core/content/documents/access/{acp,held-permissions}.ts',
    'core/automation/loops/**/*.ts',
    'core/automation/planning/*.ts',
    'core/automation/run-store/**/*.ts',
    'core/model/nxql/{parser,semantics,fulltext}/*.ts',
    'core/model/nxql/{bind-parameters,refusal}.ts',
    'storage/postgres/nxql/**/*.ts',
    '!**/*.{test,fixture}.ts',
  ],
  // Its own copy of the sources is without tsconfig.json, which it could only read by TypeScript before 7.
  ignorePatterns: [
    '/tsconfig.json',
    '/{bench,docs}',
    '/test/{demo,integration,replay,slow,unit,upgrade,wire-python}',
  ],
  disableTypeChecks: false,
  coverageAnalysis: 'perTest',
  // A constant of a module is the same for all tests of a process: each such mutant would need one of its own.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: 'coverage/mutation/incremental.json',
  concurrency: 2,
  timeoutMS: 20_000,
  reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
  htmlReporter: { fileName: 'coverage/mutation/index.html' },
  jsonReporter: { fileName: 'coverage/mutation/report.json' },
  clearTextReporter: { logTests: false },
  thresholds: { high: 90, low: 75, break: null },
}
