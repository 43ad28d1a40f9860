import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { usingStorages } from '../../core/platform/telemetry/index.js'

/** Enables the async storages of Temporal's SDK and of the log for activities; they are off in an API process. */
export const storageUser: ActivityInterceptorsFactory = () => ({
  inbound: { execute: (input, next) => usingStorages(() => next(input)) },
})
