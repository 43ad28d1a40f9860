/** Asks what an index cannot answer as the repository does, which is then to answer. The message is a clause. */
export class NotAnswerable extends Error {
  override readonly name = 'NotAnswerable'
}

/** @param reason a clause, such as `dc:title is compared with another property`. */
export const notAnswerable = (reason: string): NotAnswerable => new NotAnswerable(reason)
