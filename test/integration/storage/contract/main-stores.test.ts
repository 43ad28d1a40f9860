import { describeContributionStore } from '../../../../storage/contract/contributions.js'
import { describeDirectoryStore } from '../../../../storage/contract/directories.js'
import { describeIdentityStore } from '../../../../storage/contract/identity.js'
import { backendsThat } from './backends.js'

for (const [name, open] of backendsThat('openMain')) {
  const { identities, directories, contributions } = await open()
  describeIdentityStore(name, identities)
  describeDirectoryStore(name, directories)
  describeContributionStore(name, contributions)
}
