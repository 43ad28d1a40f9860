export { type DryRun, type DryRunPlace, dryRunChain, keepingNothing } from './dry-run.js'
export { noteLoop } from './notes.js'
