/** Thrown where a session that may write one statement has more to write; the work is then retried in a transaction. */
export const NEEDS_TRANSACTION = new Error(
  'More than one statement is to be written: this needs a transaction',
)

/** To be called before the first of several writes. */
export const requireAtomic = ({ isAtomic }: { isAtomic: boolean }): void => {
  if (!isAtomic) throw NEEDS_TRANSACTION
}
