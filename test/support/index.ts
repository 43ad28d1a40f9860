export { createTestDatabase, type TestDatabase } from './database.js'
export { parseTestSettings, TEST_HASH } from './settings.js'
