import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './schema/documents.ts',
    './schema/identity.ts',
    './schema/directories.ts',
    './schema/execution.ts',
    './schema/contributions.ts',
    './schema/fulltext.ts',
    './schema/mail.ts',
    './schema/bulk.ts',
    './schema/run-keys.ts',
    './schema/blobs.ts',
    './schema/repairs.ts',
    './schema/audit.ts',
    './schema/search.ts',
    './schema/transient-files.ts',
    './schema/routing.ts',
    './schema/media.ts',
  ],
  out: './schema/migrations',
  // Postgres takes a whole migration as one text, in the transaction of all of them.
  breakpoints: false,
})
