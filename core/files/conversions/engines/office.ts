import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { exportFormatOf, importFilterOf } from '../libreoffice/filters.js'
import type { OfficePool } from '../libreoffice/office-pool.js'
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
    const isForeignText = sourceMimeType.startsWith('text/') && !isUtf8(sourceEncoding)
    const document = join(folder, 'document')
    if (isForeignText && sourceEncoding) await rewriteAsUtf8(input, sourceEncoding, document)
    else await symlink(input, document)
    const output = join(folder, `result.${extension}`)
    const importFilter = importFilterOf(sourceMimeType)
    await pool.convert({ input: document, output, filters, importFilter }, signal)
    const encoding = destinationMimeType.startsWith('text/') ? 'UTF-8' : undefined
    return { path: output, mimeType: destinationMimeType, encoding }
  }
