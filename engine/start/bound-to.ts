import type { BoundToStart } from '../../core/automation/run-store/index.js'

/** Milliseconds within which an input starts its run; receipts are kept thirty times as long. */
const LONGEST_WAY = 86_400_000

/** An input that starts no workflow but this one. */
export const boundTo = <Input extends object>(
  input: Input,
  start: { workflow: string; taskQueue: string },
): Input & BoundToStart => ({
  ...input,
  archivoltStart: { ...start, until: Date.now() + LONGEST_WAY },
})
