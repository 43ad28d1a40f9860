export { createTestDatabase, type TestDatabase } from './database.js'
export { TEST_HASH } from './settings.js'
