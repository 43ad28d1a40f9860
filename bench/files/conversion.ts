import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTools } from '../../core/files/conversions/index.js'
import { call, createDocument } from '../harness/client.js'
import { alternate, timed } from '../harness/rounds.js'
import type { Measure } from '../harness/types.js'
import { uploadTo } from './upload.js'

const run = promisify(execFile)

/** Enough text for some pages. */
const TEXT = Array.from({ length: 400 }, (_, line) => `Line ${line} of a text that becomes a PDF.`).join('\n')

/** A text to PDF over HTTP, workflow included, against LibreOffice called once for each file. */
export const measureConversion: Measure = async ({ servers, isQuick, atEnd }) => {
  const office = createTools({ path: process.env.PATH ?? '' }).find('soffice')
  if (!office) {
    process.stderr.write('conversion is left out: LibreOffice is not installed\n')
    return []
  }
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-bench-office-'))
  atEnd(async () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'text.txt')
  writeFileSync(file, TEXT)
  const id = await createDocument(servers.apiUrl, { parent: '/', type: 'File', name: 'bench-conversion' })
  await uploadTo(servers.apiUrl, { id, name: 'text.txt', type: 'text/plain', content: Buffer.from(TEXT) })
  const bare = ['--headless', `-env:UserInstallation=file://${folder}/profile`, '--convert-to', 'pdf']
  const times = await alternate(isQuick ? 1 : 5, {
    ours: () => timed(() => call('GET', `${servers.apiUrl}/api/v1/id/${id}/@convert?format=pdf`)),
    floor: () => timed(() => run(office, [...bare, '--outdir', folder, file])),
  })
  return [{ name: 'text to PDF', unit: 'ms', ...times, goal: { most: 1 } }]
}
