import { availableParallelism } from 'node:os'
import type { PicturePool } from '../pictures/picture-pool.js'
import { createSlots, FILMS } from '../tools/slots.js'
import type { Tools } from '../tools/tools.js'
import { createCommandEngine } from './command.js'
import { createEpubEngine } from './documents/epub.js'
import { createMailEngine } from './documents/mail.js'
import { createOfficeEngine, type OfficeEngineOptions } from './documents/office.js'
import { createPdfToHtmlEngine, createPdfToTextEngine } from './documents/pdf.js'
import { createTextEngine } from './documents/text.js'
import type { Engines } from './engine.js'
import { createImageEngine } from './images/image.js'
import { limited } from './limited.js'
import { createVideoEngine } from './videos/video.js'

export type TimeLimits = {
  /** For a document, a picture or a PDF. */
  timeoutMs: number
  videoTimeoutMs: number
}

/** Programs wait for the disk now and then. */
const PROGRAMS = 2 * availableParallelism()

/** Processes that read mails and books: each may take most of a gigabyte. */
const READERS = 2

/** All engines by the name that a converter uses. Those without a pool of processes run so many programs at once. */
export const createEngines = ({
  tools,
  office,
  pictures,
  timeoutMs,
  videoTimeoutMs,
}: TimeLimits & { tools: Tools; office: OfficeEngineOptions; pictures: PicturePool }): Engines => {
  const programs = createSlots(PROGRAMS)
  const words = createSlots(READERS)
  const { allowsUnconfined } = office
  return {
    office: createOfficeEngine(office),
    pdfToText: limited(createPdfToTextEngine({ tools, timeoutMs }), programs),
    pdfToHtml: limited(createPdfToHtmlEngine({ tools, timeoutMs }), programs),
    text: limited(createTextEngine(), programs),
    mail: limited(createMailEngine({ tools, timeoutMs }), words),
    epub: limited(createEpubEngine({ tools, timeoutMs }), words),
    image: createImageEngine(pictures, { tools, timeoutMs }),
    video: limited(
      createVideoEngine({ tools, timeoutMs: videoTimeoutMs, allowsUnconfined }),
      createSlots(FILMS),
    ),
    command: limited(createCommandEngine({ tools, timeoutMs: videoTimeoutMs, allowsUnconfined }), programs),
  }
}
