import { join } from 'node:path'
import { fail } from '../../../../platform/errors/index.js'
import { exportFormatOf, importFilterOf } from '../../libreoffice/filters.js'
import type { OfficePool } from '../../libreoffice/office-pool.js'
import type { Kind } from '../../sanitiser/kind.js'
import { sanitise } from '../../sanitiser/sanitise.js'
import type { Tools } from '../../tools/tools.js'
import type { Engine } from '../engine.js'
import { isUtf8, rewriteAsUtf8 } from './text.js'

/** What is sanitised: the danger of other files is in LibreOffice's own readers, which take them as they are. */
const SANITISED: ReadonlySet<Kind> = new Set(['svg', 'html', 'odf', 'package', 'picture'])

const NAMES: { readonly [kind in Kind]?: string } = { rtf: 'RTF', binaryOffice: 'binary Office' }

/** @throws unsupportedMediaType where the system gives no sandbox. */
const requireSandbox = async (tools: Tools, kind: Kind, mimeType: string): Promise<void> => {
  if (SANITISED.has(kind) || (await tools.sandbox()).kind !== 'none') return
  throw fail(
    'unsupportedMediaType',
    `A file of type ${NAMES[kind] ?? mimeType} is converted only in a sandbox, and the converter has none (ARCHIVOLT_UNCONFINED_CONVERSIONS)`,
  )
}

export type OfficeEngineOptions = {
  pool: OfficePool
  tools: Tools
  /** Whether files that cannot be sanitised are converted without a sandbox, too. */
  allowsUnconfined: boolean
}

/** Whatever LibreOffice opens, to the destination's format. */
export const createOfficeEngine =
  ({ pool, tools, allowsUnconfined }: OfficeEngineOptions): Engine =>
  async ({
    input,
    sourceMimeType,
    sourceEncoding,
    destinationMimeType = 'application/pdf',
    folder,
    owner,
    signal,
  }) => {
    const { extension, filters } = exportFormatOf(destinationMimeType)
    const importFilter = importFilterOf(sourceMimeType)
    const isPlain = importFilter !== null && sourceMimeType !== 'text/html'
    const isForeign = isPlain && !isUtf8(sourceEncoding)
    if (isForeign && sourceEncoding) await rewriteAsUtf8(input, sourceEncoding)
    if (!isPlain) {
      const file = { input, mimeType: sourceMimeType, encoding: sourceEncoding }
      const kind = await sanitise({ ...file, owner, signal })
      if (!allowsUnconfined) await requireSandbox(tools, kind, sourceMimeType)
    }
    const output = join(folder, `result.${extension}`)
    await pool.convert({ input, output, filters, importFilter }, { owner, signal })
    const encoding = destinationMimeType.startsWith('text/') ? 'UTF-8' : undefined
    return { path: output, mimeType: destinationMimeType, encoding }
  }
