import { describeContributionStore } from '../../../../storage/contract/contributions.js'
import { describeDirectoryStore } from '../../../../storage/contract/directories.js'
import { describeIdentityStore } from '../../../../storage/contract/identity.js'
import { describeLoginTries } from '../../../../storage/contract/login-tries.js'
import { describeOpenRuns } from '../../../../storage/contract/open-runs.js'
import { describeWriteLedger } from '../../../../storage/contract/write-ledger.js'
import { backendsThat } from './backends.js'

for (const [name, open] of backendsThat('openMain')) {
  const { identities, directories, contributions, loginTries, openRuns, writeLedgers } = await open()
  describeIdentityStore(name, identities)
  describeDirectoryStore(name, directories)
  describeContributionStore(name, contributions)
  describeLoginTries(name, loginTries)
  describeOpenRuns(name, openRuns)
  describeWriteLedger(name, writeLedgers)
}
