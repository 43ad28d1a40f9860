import { link, readdir, rename } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fail } from '../../../platform/errors/index.js'
import { withTempFolder } from '../temp-folder.js'
import { runTool } from '../tools/run-tool.js'
import type { Tools } from '../tools/tools.js'
import type { Limits } from '../warm/warm-process.js'
import type { OfficeJob } from './office-job.js'
import { createProfile } from './profile.js'

export type ColdOptions = { soffice: string; tools: Tools; tempFolder: string }

/**
 * One LibreOffice for one document, where no Python with `uno` is installed: about a second each, against 20 ms in a
 * warm instance. LibreOffice picks the filter by the kind of document.
 */
export const convertCold = (job: OfficeJob, limits: Limits, options: ColdOptions): Promise<void> =>
  withTempFolder(options.tempFolder, async (folder) => {
    const input = join(folder, 'document')
    await link(job.input, input)
    const profile = await createProfile(folder)
    const args = coldArguments({ job: { ...job, input }, profile, outputFolder: folder })
    await runTool({ command: options.soffice, args, folder, tools: options.tools, ...limits })
    const extension = extname(job.output)
    const written = (await readdir(folder)).find((name) => extname(name) === extension)
    if (!written) throw fail('conversionFailed', 'LibreOffice cannot convert the file to this format')
    await rename(join(folder, written), job.output)
  })

/** LibreOffice's own command line; the profile keeps macros and links off. */
export const coldArguments = ({
  job,
  profile,
  outputFolder,
}: {
  job: OfficeJob
  profile: string
  outputFolder: string
}): string[] => {
  const { importFilter } = job
  return [
    `-env:UserInstallation=file://${profile}`,
    ...['--headless', '--invisible', '--norestore', '--nologo', '--nodefault', '--nolockcheck'],
    ...(importFilter ? [`--infilter=${importFilter.filter}:${importFilter.options}`] : []),
    ...['--convert-to', extname(job.output).slice(1), '--outdir', outputFolder, job.input],
  ]
}
