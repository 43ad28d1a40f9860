import { describeContentStores } from '../../../../storage/contract/content/index.js'
import { CONTRACT_RULES } from '../../../../storage/contract/rules/index.js'
import { backendsThat } from './backends.js'

for (const [name, open] of backendsThat('openContent'))
  describeContentStores(name, await open(CONTRACT_RULES))
