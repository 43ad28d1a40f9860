import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { usingStorages } from '../../core/platform/telemetry/index.js'

/** Activities are in storages of Temporal's SDK and of the log, which rest in a process that does much else. */
export const storageUser: ActivityInterceptorsFactory = () => ({
  inbound: { execute: (input, next) => usingStorages(() => next(input)) },
})
