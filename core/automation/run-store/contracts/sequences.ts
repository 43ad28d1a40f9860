/** Numbers that are never given twice, by key: 1, 2, 3 … */
export type Sequences = {
  /** The next number of a key; taken back when the transaction fails. */
  next(key: string): Promise<number>
}
