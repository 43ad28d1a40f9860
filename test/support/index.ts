export { createTestDatabase, type TestDatabase } from './database.js'
export { parseTestSettings, TEST_COST } from './settings.js'
