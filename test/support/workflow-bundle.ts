import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildWorkflows, DIST } from '../../stack/build/index.js'

/** The workflow code as production runs it, built when its sources have changed. */
export const workflowBundle = async (): Promise<{ code: string }> => {
  await buildWorkflows()
  return { code: await readFile(join(DIST, 'workflow-bundle.js'), 'utf8') }
}
