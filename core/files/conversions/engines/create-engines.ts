import type { PicturePool } from '../pictures/picture-pool.js'
import type { Tools } from '../tools/tools.js'
import { createCommandEngine } from './command.js'
import type { Engines } from './engine.js'
import { createEpubEngine } from './epub.js'
import { createImageEngine } from './image.js'
import { createMailEngine } from './mail.js'
import { createOfficeEngine, type OfficeEngineOptions } from './office.js'
import { createPdfToHtmlEngine, createPdfToTextEngine } from './pdf.js'
import { createTextEngine } from './text.js'
import { createVideoEngine } from './video.js'

export type TimeLimits = {
  /** For a document, a picture or a PDF. */
  timeoutMs: number
  videoTimeoutMs: number
}

/** All engines by the name that a converter uses. */
export const createEngines = ({
  tools,
  office,
  pictures,
  timeoutMs,
  videoTimeoutMs,
}: TimeLimits & { tools: Tools; office: OfficeEngineOptions; pictures: PicturePool }): Engines => ({
  office: createOfficeEngine(office),
  pdfToText: createPdfToTextEngine({ tools, timeoutMs }),
  pdfToHtml: createPdfToHtmlEngine({ tools, timeoutMs }),
  text: createTextEngine(),
  mail: createMailEngine(),
  epub: createEpubEngine(),
  image: createImageEngine(pictures),
  video: createVideoEngine({ tools, timeoutMs: videoTimeoutMs, allowsUnconfined: office.allowsUnconfined }),
  command: createCommandEngine({
    tools,
    timeoutMs: videoTimeoutMs,
    allowsUnconfined: office.allowsUnconfined,
  }),
})
