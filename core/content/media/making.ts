import { SYSTEM } from '../../access/security/index.js'
import type { BlobStore } from '../../files/blobs/index.js'
import type { BlobValue } from '../../model/properties/index.js'
import type { Session } from '../documents/index.js'
import { applyMedia, isOfFile } from './apply.js'
import { automaticConversionsOf } from './conversion-points.js'
import { languageOf } from './language.js'
import { type MediaTools, makeOf } from './make.js'
import { convertPart, convertSound, type FilmParts, joinParts, partsOf } from './make-transcoding.js'
import type { MediaResult, MediaTasks, MediaWork } from './tasks.js'

/** Documents of one page of results. */
const PAGE = 100

/** Characters of a file that are searched; more would not fit into the index of one document. */
const MAX_TEXT = 400_000

/** What a process reports while it works, and by what it is stopped. */
export type MediaRun = Pick<MediaTools, 'signal' | 'onProgress'>

/** The steps in which something is made of a file in one repository; each may be done again. */
export type MediaMaking = {
  /** What was made of the same file before, or the parts in which it is made. */
  prepare(work: MediaWork, run: MediaRun): Promise<{ result?: MediaResult } & Partial<FilmParts>>
  make(work: MediaWork, run: MediaRun): Promise<MediaResult>
  convertPart(work: MediaWork, part: BlobValue, run: MediaRun): Promise<BlobValue>
  /** The sound of a film that is converted in parts. */
  convertSound(work: MediaWork, run: MediaRun): Promise<BlobValue>
  join(
    work: MediaWork,
    converted: { parts: readonly BlobValue[]; sound?: BlobValue | undefined },
    run: MediaRun,
  ): Promise<MediaResult>
  /** Puts it on documents that wait for it. @returns on how many; 0 when none is left. */
  apply(work: MediaWork, result: MediaResult): Promise<number>
  /** Nothing came of it. */
  giveUp(work: MediaWork, message: string): Promise<void>
}

export type MediaMakingOptions = Pick<MediaTools, 'media' | 'convert' | 'pictureViews'> & {
  contributions(): MediaTools['contributions']
  tasks: MediaTasks
  blobs: Pick<BlobStore, 'open'>
  withSession<Result>(principal: typeof SYSTEM, work: (session: Session) => Promise<Result>): Promise<Result>
}

/** @returns the first characters of a text, `MAX_TEXT` at most. */
const readText = async (blobs: Pick<BlobStore, 'open'>, blob: BlobValue): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of await blobs.open(blob)) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (text.length >= MAX_TEXT) break
  }
  return text.slice(0, MAX_TEXT).replaceAll('\0', ' ')
}

/** The language of a text is that of its document, where nobody has said another. */
const withLanguage = async (result: MediaResult, blobs: Pick<BlobStore, 'open'>): Promise<MediaResult> => {
  const language = result.text && languageOf(await readText(blobs, result.text))
  return language ? { ...result, defaults: { ...result.defaults, 'dc:language': language } } : result
}

export const createMediaMaking = ({
  media,
  convert,
  pictureViews,
  contributions,
  tasks,
  blobs,
  withSession,
}: MediaMakingOptions): MediaMaking => {
  const toolsOf = (run: MediaRun): MediaTools => ({
    ...{ media, convert, pictureViews, contributions: contributions() },
    ...run,
  })
  return {
    prepare: async (work, run) => {
      const result = await tasks.known(work)
      if (result) return { result }
      return (await partsOf(work, toolsOf(run))) ?? {}
    },
    make: async (work, run) => withLanguage(await makeOf(work, toolsOf(run)), blobs),
    convertPart: (work, part, run) => convertPart(work, part, toolsOf(run)),
    convertSound: (work, run) => convertSound(work, toolsOf(run)),
    join: (work, converted, run) => joinParts(work, converted, toolsOf(run)),
    apply: async (work, result) => {
      const documents = await tasks.documents(work, PAGE)
      const text = result.text && documents.length > 0 ? await readText(blobs, result.text) : undefined
      const detected = result.defaults?.['dc:language']
      const language = typeof detected === 'string' ? detected : undefined
      const automatic = automaticConversionsOf(contributions())
      for (const documentId of documents) {
        const isOf = () => withSession(SYSTEM, (session) => isOfFile(session, documentId, work))
        // Before the event, by which search engines read the words.
        if (text !== undefined && (await isOf())) await tasks.indexWords(documentId, { text, language })
        await withSession(SYSTEM, (session) => applyMedia(session, { documentId, work, result, automatic }))
        await tasks.settle(work, { documentId, result })
      }
      return documents.length
    },
    giveUp: (work, message) => tasks.settle(work, { error: message.slice(0, 2000) }),
  }
}
