import { describeOutboxRelay } from '../../../../storage/contract/outbox-relay.js'
import { backendsThat } from './backends.js'

for (const [name, open] of backendsThat('openOutbox')) describeOutboxRelay(name, await open())
