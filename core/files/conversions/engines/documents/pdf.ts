import { join } from 'node:path'
import { requireTool } from '../../tools/require-tool.js'
import { runTool } from '../../tools/run-tool.js'
import type { Tools } from '../../tools/tools.js'
import type { Engine } from '../engine.js'

export type ToolEngineOptions = { tools: Tools; timeoutMs: number }

/** Text of a PDF in reading order, UTF-8, pages ended by a form feed. */
export const createPdfToTextEngine =
  ({ tools, timeoutMs }: ToolEngineOptions): Engine =>
  async ({ input, folder, signal }) => {
    const path = join(folder, 'text.txt')
    const command = requireTool(tools, 'pdftotext')
    const args = ['-q', '-enc', 'UTF-8', input, path]
    await runTool({ command, args, folder, tools, timeoutMs, signal })
    return { path, mimeType: 'text/plain', encoding: 'UTF-8' }
  }

/** A PDF as one HTML page: text in place, no pictures. */
export const createPdfToHtmlEngine =
  ({ tools, timeoutMs }: ToolEngineOptions): Engine =>
  async ({ input, folder, signal }) => {
    const path = join(folder, 'page.html')
    const command = requireTool(tools, 'pdftohtml')
    const args = ['-q', '-enc', 'UTF-8', '-s', '-i', '-noframes', input, path]
    await runTool({ command, args, folder, tools, timeoutMs, signal })
    return { path, mimeType: 'text/html', encoding: 'UTF-8' }
  }
