import { chooseOwner } from '../owner/index.js'
import type { Owner } from '../process/index.js'

/** The user that Postgres runs as; see `chooseOwner`. */
export const postgresOwner = (dataFolder: string): Owner | undefined =>
  chooseOwner(dataFolder, { name: 'Postgres', setting: 'DATABASE_URL' })
