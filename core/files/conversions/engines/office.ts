import { join } from 'node:path'
import { exportFormatOf, importFilterOf } from '../libreoffice/filters.js'
import type { OfficePool } from '../libreoffice/office-pool.js'
import { sanitise } from '../sanitiser/sanitise.js'
import type { Engine } from './engine.js'
import { isUtf8, rewriteAsUtf8 } from './text.js'

/** Whatever LibreOffice opens, to the destination's format. */
export const createOfficeEngine =
  (pool: OfficePool): Engine =>
  async ({
    input,
    sourceMimeType,
    sourceEncoding,
    destinationMimeType = 'application/pdf',
    folder,
    signal,
  }) => {
    const { extension, filters } = exportFormatOf(destinationMimeType)
    const importFilter = importFilterOf(sourceMimeType)
    const isPlain = importFilter !== null && sourceMimeType !== 'text/html'
    const isForeign = isPlain && !isUtf8(sourceEncoding)
    if (isForeign && sourceEncoding) await rewriteAsUtf8(input, sourceEncoding)
    if (!isPlain) await sanitise({ input, mimeType: sourceMimeType, encoding: sourceEncoding, signal })
    const output = join(folder, `result.${extension}`)
    await pool.convert({ input, output, filters, importFilter }, signal)
    const encoding = destinationMimeType.startsWith('text/') ? 'UTF-8' : undefined
    return { path: output, mimeType: destinationMimeType, encoding }
  }
