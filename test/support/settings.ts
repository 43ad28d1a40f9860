import { parseSettings, type Settings } from '../../core/platform/settings/index.js'

/** What tests spend on a hash: a hundredth of what the product does, as each file has users of its own. */
const TEST_COST = { log2N: 10, p: 1 }

/** What hashes of that cost begin with. */
export const TEST_HASH = `{scrypt-${TEST_COST.log2N}-8-${TEST_COST.p}}`

/** Settings of a test, with the rules for passwords of `npm start` unless the environment has others. */
export const parseTestSettings = (environment: NodeJS.ProcessEnv): Settings => {
  const settings = parseSettings({
    ARCHIVOLT_PASSWORD_LENGTH: '4',
    ARCHIVOLT_COMMON_PASSWORDS: 'allowed',
    ...environment,
  })
  return { ...settings, passwords: { ...settings.passwords, cost: TEST_COST } }
}
