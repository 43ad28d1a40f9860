import { describeContentStores } from '../../../../storage/contract/content/index.js'
import { CONTRACT_RULES } from '../../../../storage/contract/rules.js'
import { CONTENT_BACKENDS } from './backends.js'

for (const [name, open] of Object.entries(CONTENT_BACKENDS))
  describeContentStores(name, await open(CONTRACT_RULES))
