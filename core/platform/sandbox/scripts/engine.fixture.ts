import type { ScriptNames } from './program.js'

/** Limits of the scripts of tests. */
export const limits = { memoryBytes: 16 * 1024 * 1024, valueLength: 200_000, calls: 50 }

export const env = { 'archivolt.version': '1' }

/** The operations that these scripts may call. */
export const names: ScriptNames = {
  families: new Map([['Document', [['Create', 'Document.Create']]]]),
  flat: new Map([['RunOperation', 'RunOperation']]),
}

/** A scripted operation of some statements. */
export const body = (text: string): string => `function run(input, params) { ${text} }`
