import { fail } from '../../../platform/errors/index.js'
import { debianPackages, type ToolName, type Tools } from './tools.js'

/** `soffice (Debian package libreoffice-nogui)`: what to install, for messages. */
export const describeTool = (name: ToolName): string => `${name} (Debian package ${debianPackages[name]})`

/** The program's path; fails with `unavailable` when it was removed since the converter was looked up. */
export const requireTool = (tools: Tools, name: ToolName): string => {
  const command = tools.find(name)
  if (!command) throw fail('unavailable', `${describeTool(name)} is not available`, { retryable: false })
  return command
}
