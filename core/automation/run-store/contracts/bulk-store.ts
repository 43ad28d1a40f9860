import type { BulkCommand, BulkFailure, NewBulkCommand } from '../../language/index.js'
/** Where bulk commands stand. What moves one says whether it was its turn: an abort, or another attempt, was first. */
export type BulkStore = {
  /** Keeps a command, which is started after the commit. */
  submit(command: NewBulkCommand): Promise<void>
  find(id: string): Promise<BulkCommand | undefined>
  /** How many commands of a user have not ended; whoever else asks for them waits for the end of this transaction. */
  holdOpen(principal: string): Promise<number>
  /** Appends what a query has found behind the first `from` ids; the last of them begins the work. */
  collect(id: string, from: number, ids: readonly string[], options: { isLast: boolean }): Promise<boolean>
  /** Claims the documents at `from` for this transaction, and holds back every other attempt until it ends. */
  advance(id: string, from: number, outcome: { count: number; failure?: BulkFailure }): Promise<boolean>
  /** Ends a command that has not ended. */
  end(id: string, state: 'COMPLETED' | 'ABORTED', error?: string): Promise<boolean>
  /** Lets a command that was aborted go on behind what is done, once the transaction has committed. */
  resume(id: string): Promise<boolean>
  /** Failed documents of a command after a position, in its order. */
  failures(id: string, range: { after: number; limit: number }): Promise<BulkFailure[]>
  /** Ids of failed documents of a command, in its order; at the given positions, or all. */
  failedIds(id: string, positions?: readonly number[]): Promise<string[]>
  /**
   * Claims failed documents of a command for this transaction, which does them again: they are no failed ones any
   * more once it has committed. Answers those that no other transaction has had before.
   */
  resolveFailures(id: string, documentIds: readonly string[]): Promise<string[]>
  /** Replaces what is known of a document that has failed again. */
  renewFailure(id: string, failure: Omit<BulkFailure, 'position'>): Promise<void>
  /** Commands that nobody has started, oldest first. */
  waiting(): Promise<
    {
      id: string
      principal: string
      requestId: string
      action: string
      repairs: string | null
      /** Of the run that gave it: how many, each started by an event of the one before. 0: none was. */
      eventDepth: number
    }[]
  >
  markStarted(id: string): Promise<void>
}
