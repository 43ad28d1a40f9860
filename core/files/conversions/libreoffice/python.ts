import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isArchivoltError } from '../../../platform/errors/index.js'
import { withTempFolder } from '../temp-folder.js'
import { runTool } from '../tools/run-tool.js'
import type { Tools } from '../tools/tools.js'

/**
 * The first Python that can import `uno`: any on the path (one installed beside the system's often cannot), else the one
 * that LibreOffice's own packages bring. Null when there is none.
 */
export const findUnoPython = async ({
  tools,
  tempFolder,
}: {
  tools: Tools
  tempFolder: string
}): Promise<string | null> => {
  const soffice = tools.find('soffice')
  const bundled = soffice ? [join(dirname(await realpath(soffice)), 'python')] : []
  for (const command of [...tools.findAll('python3'), ...bundled]) {
    if (await canImportUno({ command, tools, tempFolder })) return command
  }
  return null
}

const canImportUno = async ({
  command,
  tools,
  tempFolder,
}: {
  command: string
  tools: Tools
  tempFolder: string
}): Promise<boolean> => {
  try {
    await withTempFolder(tempFolder, (folder) =>
      runTool({ command, args: ['-c', 'import uno'], folder, tools, timeoutMs: 20_000 }),
    )
    return true
  } catch (error) {
    // It ran and failed, or does not exist: the next one may work. Any other error is ours.
    if (isArchivoltError(error) || (error instanceof Error && 'code' in error && error.code === 'ENOENT'))
      return false
    throw error
  }
}
