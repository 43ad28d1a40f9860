import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, LOOPBACK } from '../../stack/process/index.js'
import { type Child, startProgram } from '../harness/child.js'
import { call } from '../harness/client.js'

export type Tusd = {
  /** @returns the address of the file. */
  upload(content: Buffer): Promise<string>
}

const VERSION = { 'tus-resumable': '1.0.0' }

/**
 * The reference server of the tus protocol, which keeps files as they come and hashes nothing. It is no dependency of
 * this project: `ARCHIVOLT_BENCH_TUSD` names its program.
 */
export const startTusd = async (
  program: string,
  atEnd: (stop: () => Promise<void>) => void,
): Promise<Tusd> => {
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-bench-tusd-'))
  atEnd(async () => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const options = ['-host', LOOPBACK, '-port', String(port), '-upload-dir', folder, '-verbose=false']
  const server: Child = await startProgram(program, options)
  atEnd(server.stop)
  const files = `http://${LOOPBACK}:${port}/files/`
  return {
    upload: async (content) => {
      const created = await call('POST', files, {
        headers: { ...VERSION, 'upload-length': String(content.length), 'content-length': '0' },
      })
      const address = String(created.headers.location)
      const type = { 'content-type': 'application/offset+octet-stream' }
      await call('PATCH', address, { body: content, headers: { ...VERSION, ...type, 'upload-offset': '0' } })
      return address
    },
  }
}
