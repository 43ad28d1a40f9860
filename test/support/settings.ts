import { parseSettings, type Settings } from '../../core/platform/settings/index.js'

/** What tests spend on a hash: a third of what the product does. */
export const TEST_COST = { log2N: 15, p: 1 }

/** Settings of a test, with the rules for passwords of `npm start` unless the environment has others. */
export const parseTestSettings = (environment: NodeJS.ProcessEnv): Settings => {
  const settings = parseSettings({
    ARCHIVOLT_PASSWORD_LENGTH: '4',
    ARCHIVOLT_COMMON_PASSWORDS: 'allowed',
    ...environment,
  })
  return { ...settings, passwords: { ...settings.passwords, cost: TEST_COST } }
}
