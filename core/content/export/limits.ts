import { fail } from '../../platform/errors/index.js'

/** What an archive may hold. `text`: bytes of the documents' XML, which is in memory; `bytes`: of their files. */
export type ArchiveLimits = { documents: number; text: number; bytes: number }

const LIMITS: ArchiveLimits = { documents: 10_000, text: 256 * 1024 ** 2, bytes: 10 * 1024 ** 3 }

const NAMES: { readonly [what in keyof ArchiveLimits]: string } = {
  documents: 'documents',
  text: 'bytes of XML',
  bytes: 'bytes of files',
}

/** Counts what is put into an archive. @throws tooLarge, from what it returns, beyond a limit. */
export const createMeter = (limits: ArchiveLimits = LIMITS) => {
  const left = { ...limits }
  return (what: keyof ArchiveLimits, amount: number): void => {
    left[what] -= amount
    if (left[what] >= 0) return
    throw fail(
      'tooLarge',
      `The archive would have more than ${limits[what]} ${NAMES[what]}: export a smaller folder`,
    )
  }
}

export type Meter = ReturnType<typeof createMeter>
