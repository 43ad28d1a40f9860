import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createTools } from '../../core/files/conversions/index.js'
import { call, contribute, LEARN_MS } from '../harness/client.js'
import { alternate } from '../harness/rounds.js'
import type { Measure } from '../harness/types.js'
import { eachOf, makeOfficeFiles, run, storeFiles } from './files.js'

/** LibreOffice processes that the product keeps warm. */
const INSTANCES = 2

const DRIVER = fileURLToPath(new URL('../floors/office.py', import.meta.url))

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** A Python that has LibreOffice's `uno`: one that is installed beside the system's often has not. */
const pythonOf = async (candidates: readonly string[]): Promise<string | undefined> => {
  for (const python of candidates) {
    const isFit = await run(python, ['-c', 'import uno']).then(
      () => true,
      () => false,
    )
    if (isFit) return python
  }
  return undefined
}

/** Warm instances of the floor; it is given a folder and says how many seconds its files took. */
const startFloor = async ({
  python,
  soffice,
  folder,
}: {
  python: string
  soffice: string
  folder: string
}) => {
  const child: ChildProcess = spawn(python, [DRIVER, soffice, String(INSTANCES), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done) throw new Error('The floor of LibreOffice ended')
    return value as string
  }
  await nextLine()
  return {
    seconds: async (files: string): Promise<number> => {
      child.stdin?.write(`${files}\n`)
      return Number(await nextLine())
    },
    stop: () => void (child.pid !== undefined && process.kill(-child.pid, 'SIGKILL')),
  }
}

/** Office files to PDF over HTTP, beside a loop that feeds as many warm instances of LibreOffice. */
export const measureOffice: Measure = async ({ servers, isQuick, atEnd }) => {
  const tools = createTools({ path: process.env.PATH ?? '' })
  const soffice = tools.find('soffice')
  const python = await pythonOf(tools.findAll('python3'))
  if (!soffice || !python) {
    process.stderr.write('office is left out: LibreOffice or its Python is not installed\n')
    return []
  }
  const { apiUrl } = servers
  // Else the same instances make words and a thumbnail of each file meanwhile, which the floor does not.
  await contribute(apiUrl, 'mediaListeners/texts', '{ makes: text, enabled: false }')
  await contribute(apiUrl, 'mediaListeners/thumbnails', '{ makes: thumbnail, enabled: false }')
  await pause(LEARN_MS)
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-bench-office-'))
  atEnd(async () => rmSync(folder, { recursive: true, force: true }))
  const paths = await makeOfficeFiles(folder, { soffice, count: 50 })
  const floor = await startFloor({ python, soffice, folder })
  atEnd(async () => floor.stop())
  let round = 0
  const convertAll = async (): Promise<number> => {
    // Names of their own: the same file is converted once.
    const ids = await storeFiles(apiUrl, { paths, mimeType: DOCX, round: `office-${round++}` })
    const started = performance.now()
    await eachOf(ids, 2 * INSTANCES, (id) => call('GET', `${apiUrl}/api/v1/id/${id}/@convert?format=pdf`))
    return (paths.length * 1_000) / (performance.now() - started)
  }
  const rates = await alternate(isQuick ? 1 : 5, {
    ours: convertAll,
    floor: async () => paths.length / (await floor.seconds(join(folder, 'office'))),
  })
  return [{ name: '50 office files to PDF', unit: 'files/s', ...rates, goal: { least: 0.9 } }]
}
