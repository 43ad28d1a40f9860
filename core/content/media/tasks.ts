import { SYSTEM } from '../../access/security/index.js'
import type { BlobOwner } from '../../files/blobs/index.js'
import type { BlobValue, PropertyValue } from '../../model/properties/index.js'

/** What is to be made of one file: `picture`, `video`, `audio`, `text`, `thumbnail` or `transcoding:` with a name. */
export type MediaWork = {
  kind: string
  source: BlobValue
  /** Who waits for it first, in whose turn it is made; absent: the product itself. */
  owner?: string | undefined
}

/**
 * What is made is the product's, and counts for nobody. It takes the share of the processes of who waits for it, as what
 * that one asks for himself does.
 */
export const madeFor = ({ owner }: MediaWork): { owner: BlobOwner; turnOf: BlobOwner | undefined } => ({
  owner: SYSTEM,
  turnOf: owner === undefined ? undefined : { name: owner, isAdministrator: false },
})

/** A call about the file that something is made of. */
export const callFor = (work: MediaWork, { signal }: { signal?: AbortSignal | undefined }) => ({
  source: work.source,
  ...madeFor(work),
  signal,
})

/**
 * @property isSettled nothing is to be made while the document has this file: somebody has done it.
 * @property isAnew it is made once more, whatever was made of the same bytes before.
 */
export type WantedMedia = MediaWork & { isSettled?: boolean; isAnew?: boolean }

/** @property owner who waits for it first, for which document. */
export type WaitingMedia = MediaWork & { owner: string; documentId: string }

/** What was made of a file, as it is put on each document that has it. */
export type MediaResult = {
  /** Properties by xpath, which replace what is there. */
  properties?: { [xpath: string]: PropertyValue }
  /** Properties that are set where nothing is. */
  defaults?: { [xpath: string]: PropertyValue }
  /** A film in another format, which takes the place of the one of its name. */
  transcoded?: { [field: string]: PropertyValue }
  facet?: string
  /** Its words, as UTF-8. */
  text?: BlobValue
}

/** The files of one database of which something is to be made: the contract of a store. */
export type MediaTasks = {
  /**
   * Remembers what documents want, unless it has been made for them of the same file already.
   *
   * @param tasks `owner` is the user who asked for it.
   */
  want(tasks: readonly (WantedMedia & { documentId: string; owner: string })[]): Promise<void>
  /** Files and kinds that somebody waits for, each once: in turns of their owners, of each the oldest first. */
  waiting(limit: number): Promise<WaitingMedia[]>
  /** Documents that wait for it. */
  documents(work: MediaWork, limit: number): Promise<string[]>
  /** What was made of this file before. */
  known(work: MediaWork): Promise<MediaResult | undefined>
  /** For one document, or with an error for all that wait. */
  settle(
    work: MediaWork,
    outcome: { documentId: string; result: MediaResult } | { error: string },
  ): Promise<void>
  /** What is made of a document's file. */
  of(documentId: string): Promise<MediaTask[]>
  /**
   * Puts the words of a document's file into its index, cut where that ends.
   *
   * @param words `language`: the one of the text, for a document without any.
   */
  indexWords(documentId: string, words: { text: string; language?: string | undefined }): Promise<void>
}

/** What is made of a document's file. */
export type MediaTask = MediaWork & {
  /** `waiting` until a run has ended. */
  state: 'waiting' | 'done' | 'failed'
  /** Why nothing was made. */
  error?: string
  /** Of those that wait, files and kinds each once: how many came before, and how many there are, 1,000 at most. */
  positionInQueue: number
  queueSize: number
}

/** The runs of media that are under way. */
export type MediaRuns = {
  /** How far one is, from 0 to 1 where that is known; undefined where none is under way. */
  progress(work: MediaWork): Promise<{ fraction?: number } | undefined>
}
