export { type AskedParameters, askedParameters } from './asked-parameters.js'
export { type BeginConversion, createBeginning } from './begin.js'
export { commandLineOf } from './command-lines/command-line.js'
export { type CommandEntry, commandsPoint } from './command-lines/command-schema.js'
export {
  type ConversionRequest,
  type Conversions,
  type ConversionsOptions,
  createConversions,
} from './conversions.js'
export { converterCommandsRegistry } from './converter-commands.js'
export { type ConverterEntry, convertersPoint } from './converter-schema.js'
export { inputGuards } from './engines/input-guards.js'
export { videoExtensionOf } from './engines/videos/video-containers.js'
export { type ConverterRegistry, type ConverterStatus, createConverterRegistry } from './registry.js'
export type { ConversionTarget } from './request.js'
export type { SandboxKind } from './sandbox/sandbox.js'
export { sharedConversions } from './shared.js'
export type { ConversionStep } from './steps.js'
export { createSlots, FILMS, inSlot } from './tools/slots.js'
export { createTools, type ToolName, type Tools, type ToolsOptions } from './tools/tools.js'
export { type Bench, type BenchRequest, createWorkbench, type Workbench } from './workbench.js'
