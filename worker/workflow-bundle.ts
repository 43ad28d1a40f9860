import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** Beside the programs when bundled. */
const WORKFLOW_BUNDLE = fileURLToPath(new URL('../dist/workflow-bundle.js', import.meta.url))

/** The workflow code as it was built, for any worker of this process. */
export const readWorkflowBundle = async (): Promise<{ workflowBundle: { code: string } }> => ({
  workflowBundle: { code: await readFile(WORKFLOW_BUNDLE, 'utf8') },
})
