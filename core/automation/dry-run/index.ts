export { type DryRun, dryRunChain } from './dry-run.js'
export { noteLoop } from './notes.js'
