import { fail } from '../../platform/errors/index.js'

/**
 * What an archive that is read may hold. `entries`: all that it lists; `document`: bytes of the XML of one document;
 * `bytes`: of all that it unpacks to.
 */
export type ImportLimits = { entries: number; documents: number; document: number; bytes: number }

/** As large as what `core/content/export` writes. */
export const LIMITS: ImportLimits = {
  entries: 100_000,
  documents: 10_000,
  document: 8 * 1024 ** 2,
  bytes: 10 * 1024 ** 3,
}

/** Unpacked bytes for each packed one, which no archive of documents comes near. */
const MAX_RATIO = 200

/** Unpacked bytes below which the ratio does not matter: a short text of blanks packs well. */
const SMALL = 64 * 1024 ** 2

/**
 * Refuses archives that unpack to far more than they are, by what they say of themselves.
 *
 * @param packed bytes of the archive itself: several entries may share the same bytes of it.
 * @throws tooLarge.
 */
export const requireModest = (
  entries: readonly { length: number }[],
  { bytes, packed }: Pick<ImportLimits, 'bytes'> & { packed: number },
): void => {
  const unpacked = entries.reduce((sum, { length }) => sum + length, 0)
  if (unpacked > bytes)
    throw fail('tooLarge', `The archive unpacks to ${unpacked} bytes, of ${bytes} at most`)
  if (unpacked > SMALL && unpacked > packed * MAX_RATIO)
    throw fail('tooLarge', `The archive unpacks to more than ${MAX_RATIO} times its bytes`)
}
