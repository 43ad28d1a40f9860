import { pino } from 'pino'
import { installRuntime } from '../../worker/temporal-runtime.js'

// Whoever starts a worker first decides what Temporal's SDK logs in this process, for all files that follow.
installRuntime(pino({ level: 'silent' }))
