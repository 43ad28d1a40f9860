export { type Rehearsal, rehearse } from './dry-run.js'
export { noteLoop } from './notes.js'
