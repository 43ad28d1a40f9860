export { ADMINISTRATOR, type AdministratorPassword, choosePassword, markShown } from './administrator.js'
export { type Home, openHome } from './home.js'
export { readRecord, type StoredProcess, takeLock, writeRecord } from './lock.js'
