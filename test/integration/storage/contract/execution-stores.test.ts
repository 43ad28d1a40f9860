import { describeExecutionStores } from '../../../../storage/contract/execution/index.js'
import { backendsThat } from './backends.js'

for (const [name, open] of backendsThat('openExecution')) describeExecutionStores(name, await open())
